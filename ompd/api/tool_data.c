/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Data of OMPT tools. OpenMP 6.0 section 41.12.
 */
#include "api/api.h"

ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value, ompd_address_t *ptr)
{
    API_ASPACE(aspace);
    enum handle_tag tag;
    const struct rtm_ref *ref;
    API_TRY(api_enter_any(handle, &tag, &ref, &aspace));
    API_TRY(api_output(value));
    API_TRY(api_output(ptr));
    if (scope < ompd_scope_global || scope > ompd_scope_target)
        return ompd_rc_bad_input;
    return ompd_rc_unsupported; /* Companion keeps no tool's data: it has no OMPT yet */
}
