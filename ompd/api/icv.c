/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Internal control variables. OpenMP 6.0 section 41.11.
 */
#include "api/icv_table.h"
#include "api/icv_text.h"

ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *handle, ompd_icv_id_t current,
                              ompd_icv_id_t *next_id, const char **next_icv_name, ompd_scope_t *next_scope,
                              int *more)
{
    TRACED(ompd_enumerate_icvs(handle, current, next_id, next_icv_name, next_scope, more),
           ARG(POINTER, handle), ARG(NUMBER, current), ARG(OUT_HEX, next_id), ARG(OUT_STRING, next_icv_name),
           ARG(OUT_INT, next_scope), ARG(OUT_INT, more));
    API_ASPACE(aspace);
    API_TRY(api_enter_aspace(handle, &aspace));
    API_TRY(api_output(next_id));
    API_TRY(api_output(next_icv_name));
    API_TRY(api_output(next_scope));
    API_TRY(api_output(more));
    if (current != ompd_icv_undefined && icv_find(current) == NULL)
        return ompd_rc_bad_input;
    const ompd_icv_id_t next = icv_next(current);
    const struct icv *icv = icv_find(next);
    if (icv == NULL)
        return ompd_rc_bad_input; /* the last one was answered with *more 0 */
    API_TRY(tgt_strdup(icv->name, next_icv_name));
    *next_id = next;
    *next_scope = icv_scope(icv);
    *more = icv_next(next) != ompd_icv_undefined;
    return ompd_rc_ok;
}

/** The handle that a scope asks for. */
static enum handle_tag tag_of(ompd_scope_t scope)
{
    switch (scope) {
    case ompd_scope_parallel:
        return HANDLE_PARALLEL;
    case ompd_scope_implicit_task:
    case ompd_scope_task:
        return HANDLE_TASK;
    default:
        return HANDLE_ASPACE;
    }
}

/** Checks what the two routines below have in common. */
static ompd_rc_t enter(const void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id, const void *output,
                       aspace_t **aspace, const struct rtm_ref **ref, const struct icv **ret)
{
    enum handle_tag tag;
    TRY(api_enter_any(handle, &tag, ref, aspace));
    TRY(api_output(output));
    const struct icv *icv = icv_find(icv_id);
    if (scope < ompd_scope_global || scope > ompd_scope_target || icv == NULL)
        return ompd_rc_bad_input;
    if (scope != icv_scope(icv) || tag != tag_of(scope))
        return ompd_rc_incompatible;
    *ret = icv;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                  ompd_word_t *icv_value)
{
    TRACED(ompd_get_icv_from_scope(handle, scope, icv_id, icv_value), ARG(POINTER, handle),
           ARG(NUMBER, scope), ARG(NUMBER, icv_id), ARG(OUT_WORD, icv_value));
    API_ASPACE(aspace);
    const struct rtm_ref *ref;
    const struct icv *icv;
    struct rtm_icv_value value;
    API_TRY(enter(handle, scope, icv_id, icv_value, &aspace, &ref, &icv));
    if (icv_integer(icv->icv) == ICV_NO_INTEGER) {
        GROWN(unused); /* a stale handle or another kind of task is told first */
        API_TRY(icv_text(aspace, icv->icv, ref, scope, &unused));
        return ompd_rc_incompatible;
    }
    API_TRY(aspace->rt->icv(aspace, icv->icv, ref, scope, &value));
    *icv_value = value.item[0];
    /* run-sched-var: without a chunk the kind is all there is. */
    const bool whole = icv->icv == RTM_ICV_RUN_SCHED ? value.item[1] == 0 : value.count == 1;
    return api_code(whole ? ompd_rc_ok : ompd_rc_incomplete);
}

ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                         const char **icv_string)
{
    TRACED(ompd_get_icv_string_from_scope(handle, scope, icv_id, icv_string), ARG(POINTER, handle),
           ARG(NUMBER, scope), ARG(NUMBER, icv_id), ARG(OUT_STRING, icv_string));
    API_ASPACE(aspace);
    const struct rtm_ref *ref;
    const struct icv *icv;
    GROWN(text);
    API_TRY(enter(handle, scope, icv_id, icv_string, &aspace, &ref, &icv));
    API_TRY(icv_text(aspace, icv->icv, ref, scope, &text));
    return api_code(grown_give(&text, icv_string));
}
