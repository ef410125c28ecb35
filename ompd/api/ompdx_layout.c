/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Layouts: those that the tool adds, and what one says of frames (include/ompdx.h).
 */
#include "api/api.h"
#include "providers/row_add.h"
#include "runtimes/base/stock.h"

ompd_rc_t ompdx_layout_add(const ompdx_layout_t *layout)
{
    TRACED(ompdx_layout_add(layout), ARG(POINTER, layout));
    if (!tgt_lib.ready)
        return ompd_rc_callback_error;
    TRY(api_output(layout));
    return row_add(layout);
}

ompd_rc_t ompdx_get_frame_rules(ompd_address_space_handle_t *handle, ompdx_frame_rule_t **rules, int *count)
{
    TRACED(ompdx_get_frame_rules(handle, rules, count), ARG(POINTER, handle), ARG(OUT_HEX, rules),
           ARG(OUT_INT, count));
    API_ASPACE(aspace);
    TRY(api_enter_aspace(handle, &aspace));
    TRY(api_output(rules));
    TRY(api_output(count));
    return aspace->stock != NULL ? stock_frame_rules(aspace->stock, rules, count) : ompd_rc_unavailable;
}
