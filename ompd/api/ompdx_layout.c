/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Layouts that the tool adds (include/ompdx.h).
 */
#include "api/api.h"
#include "providers/row_add.h"

ompd_rc_t ompdx_layout_add(const ompdx_layout_t *layout)
{
    TRACED(ompdx_layout_add(layout), ARG(POINTER, layout));
    if (!tgt_lib.ready)
        return ompd_rc_callback_error;
    TRY(api_output(layout));
    return row_add(layout);
}
