/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Our extensions (include/ompdx.h). Their callers know today's codes, so these are not replaced.
 */
#include <stddef.h>
#include <string.h>

#include "api/api.h"

/* ---- bracket ------------------------------------------------------------------------------------------- */

ompd_rc_t ompdx_stop_begin(ompd_address_space_handle_t *handle)
{
    TRACED(ompdx_stop_begin(handle), ARG(POINTER, handle));
    aspace_t *aspace = NULL;
    TRY(api_enter_aspace(handle, &aspace));
    if (aspace->brk.open)
        return ompd_rc_unavailable;
    aspace->brk.open = true;
    return ompd_rc_ok;
}

ompd_rc_t ompdx_stop_end(ompd_address_space_handle_t *handle)
{
    TRACED(ompdx_stop_end(handle), ARG(POINTER, handle));
    aspace_t *aspace = NULL;
    TRY(api_enter_aspace(handle, &aspace));
    if (!aspace->brk.open)
        return ompd_rc_unavailable;
    aspace->brk.open = false;
    brk_drop(&aspace->brk);
    kept_drop(aspace->kept);
    return ompd_rc_ok;
}

/* ---- one thing ----------------------------------------------------------------------------------------- */

/**
 * Up to the end of the last member that the first release of the library had. A caller that was compiled with
 * it has no more room, whatever members have been added since.
 */
#define FIRST_SIZE(type, last_member) (offsetof(type, last_member) + sizeof((type *)0)->last_member)

/**
 * Whether the caller, which sets the first member to the size of its structure, has room for at least LEAST
 * bytes.
 */
static ompd_rc_t check_info(const void *info, size_t least)
{
    uint64_t size;
    TRY(api_output(info));
    memcpy(&size, info, sizeof size);
    return size >= least ? ompd_rc_ok : ompd_rc_bad_input;
}

/** Gives the caller what was filled, as much as it has room for; its `size` stays as it set it. */
static void give_info(void *info, const void *filled, size_t bytes)
{
    uint64_t size;
    memcpy(&size, info, sizeof size);
    if (bytes > size)
        bytes = size;
    memcpy((char *)info + sizeof(uint64_t), (const char *)filled + sizeof(uint64_t),
           bytes - sizeof(uint64_t));
}

ompd_rc_t ompdx_get_runtime_info(ompd_address_space_handle_t *handle, ompdx_runtime_info_t *info)
{
    TRACED(ompdx_get_runtime_info(handle, info), ARG(POINTER, handle), ARG(POINTER, info));
    API_ASPACE(aspace);
    ompdx_runtime_info_t filled = {0};
    TRY(api_enter_aspace(handle, &aspace));
    TRY(check_info(info, FIRST_SIZE(ompdx_runtime_info_t, layout_fields)));
    TRY(aspace->rt->runtime_info(aspace, &filled));
    give_info(info, &filled, sizeof filled);
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_thread_info(ompd_thread_handle_t *thread, ompdx_thread_info_t *info)
{
    TRACED(ompdx_get_thread_info(thread, info), ARG(POINTER, thread), ARG(POINTER, info));
    API_ASPACE(aspace);
    ompdx_thread_info_t filled;
    TRY(api_enter_thread(thread, &aspace));
    TRY(check_info(info, FIRST_SIZE(ompdx_thread_info_t, active_level)));
    TRY(aspace->rt->thread_info(aspace, &thread->base.ref, &filled));
    if (filled.owner_uncertain &&
        info->size < offsetof(ompdx_thread_info_t, owner_uncertain) + sizeof(uint64_t)) {
        /* The caller could not tell it from a certain one. */
        filled.owner_kind = ompdx_owner_unknown;
        filled.owner_thread = filled.owner_pthread = filled.owner_codeptr = 0;
        filled.owner_tid = 0;
    }
    give_info(info, &filled, sizeof filled);
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_held(ompd_thread_handle_t *thread, ompdx_held_t **held, int *count)
{
    TRACED(ompdx_get_held(thread, held, count), ARG(POINTER, thread), ARG(OUT_HEX, held),
           ARG(OUT_INT, count));
    API_ASPACE(aspace);
    TRY(api_enter_thread(thread, &aspace));
    TRY(api_output(held));
    TRY(api_output(count));
    return aspace->rt->thread_held(aspace, &thread->base.ref, held, count);
}

ompd_rc_t ompdx_get_place(ompd_thread_handle_t *thread, int *place, const char **processors)
{
    TRACED(ompdx_get_place(thread, place, processors), ARG(POINTER, thread), ARG(OUT_INT, place),
           ARG(OUT_HEX, processors));
    API_ASPACE(aspace);
    GROWN(text);
    int number = -1;
    TRY(api_enter_thread(thread, &aspace));
    TRY(api_output(place));
    TRY(api_output(processors));
    TRY(aspace->rt->thread_place(aspace, &thread->base.ref, &number, &text));
    ompd_rc_t rc = grown_give(&text, processors);
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        *place = number;
    return rc;
}

ompd_rc_t ompdx_get_parallel_info(ompd_parallel_handle_t *parallel, ompdx_parallel_info_t *info)
{
    TRACED(ompdx_get_parallel_info(parallel, info), ARG(POINTER, parallel), ARG(POINTER, info));
    API_ASPACE(aspace);
    ompdx_parallel_info_t filled;
    TRY(api_enter_parallel(parallel, &aspace));
    TRY(check_info(info, FIRST_SIZE(ompdx_parallel_info_t, team_num)));
    TRY(aspace->rt->region_info(aspace, &parallel->base.ref, &filled));
    give_info(info, &filled, sizeof filled);
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_task_info(ompd_task_handle_t *task, ompdx_task_info_t *info)
{
    TRACED(ompdx_get_task_info(task, info), ARG(POINTER, task), ARG(POINTER, info));
    API_ASPACE(aspace);
    ompdx_task_info_t filled;
    TRY(api_enter_task(task, &aspace));
    TRY(check_info(info, FIRST_SIZE(ompdx_task_info_t, taskloop)));
    TRY(aspace->rt->task_info(aspace, &task->base.ref, &filled));
    give_info(info, &filled, sizeof filled);
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_loop_info(ompd_task_handle_t *task, ompdx_loop_info_t *info)
{
    TRACED(ompdx_get_loop_info(task, info), ARG(POINTER, task), ARG(POINTER, info));
    API_ASPACE(aspace);
    ompdx_loop_info_t filled = {0};
    TRY(api_enter_task(task, &aspace));
    TRY(check_info(info, FIRST_SIZE(ompdx_loop_info_t, unknown)));
    TRY(aspace->rt->loop_info(aspace, &task->base.ref, &filled));
    give_info(info, &filled, sizeof filled);
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_barrier_arrivals(ompd_parallel_handle_t *parallel, int **thread_nums, int *count)
{
    TRACED(ompdx_get_barrier_arrivals(parallel, thread_nums, count), ARG(POINTER, parallel),
           ARG(OUT_HEX, thread_nums), ARG(OUT_INT, count));
    API_ASPACE(aspace);
    TRY(api_enter_parallel(parallel, &aspace));
    TRY(api_output(thread_nums));
    TRY(api_output(count));
    return aspace->rt->region_arrivals(aspace, &parallel->base.ref, thread_nums, count);
}

ompd_rc_t ompdx_get_task_predecessors(ompd_task_handle_t *task, uint64_t **ids, int *count)
{
    TRACED(ompdx_get_task_predecessors(task, ids, count), ARG(POINTER, task), ARG(OUT_HEX, ids),
           ARG(OUT_INT, count));
    API_ASPACE(aspace);
    TRY(api_enter_task(task, &aspace));
    TRY(api_output(ids));
    TRY(api_output(count));
    return aspace->rt->task_predecessors(aspace, &task->base.ref, ids, count);
}

/* ---- all things ---------------------------------------------------------------------------------------- */

/** A block of handles. Codes: ok, incomplete (with outputs), others without. */
static ompd_rc_t get_all(ompd_address_space_handle_t *handle, enum rtm_entity what, const void *output,
                         void ***ret, int *count)
{
    static const enum handle_tag tags[] = {
        [RTM_THREAD] = HANDLE_THREAD, [RTM_REGION] = HANDLE_PARALLEL, [RTM_TASK] = HANDLE_TASK};
    API_ASPACE(aspace);
    struct index list;
    void **handles = NULL;
    TRY(api_enter_aspace(handle, &aspace));
    TRY(api_output(output));
    TRY(api_output(count));
    ompd_rc_t listed = aspace->rt->list(aspace, what, &list);
    if (listed != ompd_rc_ok && listed != ompd_rc_incomplete)
        return listed;
    if (list.count > INT32_MAX)
        return ompd_rc_error;
    TRY(tgt_alloc(list.count * sizeof *handles, &handles));
    for (size_t i = 0; i < list.count; i++) {
        const struct rtm_ref ref = {list.rows[i].value, list.rows[i].key};
        ompd_rc_t rc = handle_new(aspace, tags[what], &ref, &handles[i]);
        if (rc == ompd_rc_ok)
            continue;
        while (i-- > 0)
            handle_free(handles[i]);
        tgt_free(handles);
        return rc;
    }
    *ret = handles;
    *count = (int)list.count;
    return listed;
}

ompd_rc_t ompdx_get_all_threads(ompd_address_space_handle_t *handle, ompd_thread_handle_t ***handles,
                                int *count)
{
    TRACED(ompdx_get_all_threads(handle, handles, count), ARG(POINTER, handle), ARG(OUT_HEX, handles),
           ARG(OUT_INT, count));
    void **all = NULL;
    ompd_rc_t rc = get_all(handle, RTM_THREAD, handles, &all, count);
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        *handles = (ompd_thread_handle_t **)all;
    return rc;
}

ompd_rc_t ompdx_get_all_parallels(ompd_address_space_handle_t *handle, ompd_parallel_handle_t ***handles,
                                  int *count)
{
    TRACED(ompdx_get_all_parallels(handle, handles, count), ARG(POINTER, handle), ARG(OUT_HEX, handles),
           ARG(OUT_INT, count));
    void **all = NULL;
    ompd_rc_t rc = get_all(handle, RTM_REGION, handles, &all, count);
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        *handles = (ompd_parallel_handle_t **)all;
    return rc;
}

ompd_rc_t ompdx_get_all_tasks(ompd_address_space_handle_t *handle, ompd_task_handle_t ***handles, int *count)
{
    TRACED(ompdx_get_all_tasks(handle, handles, count), ARG(POINTER, handle), ARG(OUT_HEX, handles),
           ARG(OUT_INT, count));
    void **all = NULL;
    ompd_rc_t rc = get_all(handle, RTM_TASK, handles, &all, count);
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        *handles = (ompd_task_handle_t **)all;
    return rc;
}
