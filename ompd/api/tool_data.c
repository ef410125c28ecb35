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

static ompd_rc_t check_alive(aspace_t *aspace, enum handle_tag tag, const struct rtm_ref *ref)
{
    switch (tag) {
    case HANDLE_THREAD:
        return aspace->rt->alive(aspace, RTM_THREAD, ref);
    case HANDLE_PARALLEL:
        return aspace->rt->alive(aspace, RTM_REGION, ref);
    case HANDLE_TASK:
        return aspace->rt->alive(aspace, RTM_TASK, ref);
    default:
        return ompd_rc_ok;
    }
}

ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value, ompd_address_t *ptr)
{
    API_ASPACE(aspace);
    enum handle_tag tag;
    const struct rtm_ref *ref;
    API_TRY(api_enter_any(handle, &tag, &ref, &aspace));
    API_TRY(api_output(value));
    API_TRY(api_output(ptr));
    API_TRY(check_scope(scope, tag));
    API_TRY(check_alive(aspace, tag, ref));
    return ompd_rc_unsupported; /* Companion keeps no tool's data: it has no OMPT yet */
}
