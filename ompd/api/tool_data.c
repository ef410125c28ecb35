/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Data of OMPT tools. OpenMP 6.0 section 41.12.
 */
#include "api/api.h"

/** Does the handle's sort go with the scope? Scopes of later versions are unknown to the caller. */
static ompd_rc_t check_scope(ompd_scope_t scope, enum handle_tag tag)
{
    enum handle_tag wanted;
    switch (scope) {
    case ompd_scope_global:
    case ompd_scope_address_space:
        wanted = HANDLE_ASPACE;
        break;
    case ompd_scope_thread:
        wanted = HANDLE_THREAD;
        break;
    case ompd_scope_teams:
    case ompd_scope_target:
        if (tgt_lib.version < OMPD_VERSION_60)
            return ompd_rc_bad_input;
        wanted = HANDLE_PARALLEL;
        break;
    case ompd_scope_parallel:
        wanted = HANDLE_PARALLEL;
        break;
    case ompd_scope_implicit_task:
    case ompd_scope_task:
        wanted = HANDLE_TASK;
        break;
    default:
        return ompd_rc_bad_input;
    }
    return tag == wanted ? ompd_rc_ok : ompd_rc_incompatible_handle;
}

static ompd_rc_t tool_data(aspace_t *aspace, enum rtm_entity what, const struct rtm_ref *ref,
                           ompd_word_t *value, ompd_address_t *ptr)
{
    uint64_t word, address;
    API_TRY(aspace->rt->alive(aspace, what, ref));
    API_TRY(aspace->rt->tool_data(aspace, what, ref, &word, &address));
    *value = (ompd_word_t)word;
    *ptr = (ompd_address_t){.segment = ompd_segment_none, .address = address};
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value, ompd_address_t *ptr)
{
    TRACED(ompd_get_tool_data(handle, scope, value, ptr), ARG(POINTER, handle), ARG(NUMBER, scope),
           ARG(OUT_WORD, value), ARG(OUT_ADDRESS, ptr));
    API_ASPACE(aspace);
    enum handle_tag tag;
    const struct rtm_ref *ref;
    API_TRY(api_enter_any(handle, &tag, &ref, &aspace));
    API_TRY(api_output(value));
    API_TRY(api_output(ptr));
    API_TRY(check_scope(scope, tag));
    switch (tag) {
    case HANDLE_THREAD:
        return tool_data(aspace, RTM_THREAD, ref, value, ptr);
    case HANDLE_PARALLEL:
        return tool_data(aspace, RTM_REGION, ref, value, ptr);
    case HANDLE_TASK:
        return tool_data(aspace, RTM_TASK, ref, value, ptr);
    default:
        return ompd_rc_unsupported; /* OMPT has no ompt_data_t for a process or the host device */
    }
}
