/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks. OpenMP 6.0 section 41.6.
 */
#include "api/api.h"

ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *thread_handle, ompd_task_handle_t **task_handle)
{
    TRACED(ompd_get_curr_task_handle(thread_handle, task_handle), ARG(POINTER, thread_handle),
           ARG(OUT_HEX, task_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    API_TRY(api_enter_thread(thread_handle, &aspace));
    API_TRY(api_output(task_handle));
    API_TRY(aspace->rt->thread_task(aspace, &thread_handle->base.ref, &ref));
    return api_code(handle_new(aspace, HANDLE_TASK, &ref, task_handle));
}

ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *task_handle,
                                          ompd_task_handle_t **generating_task_handle)
{
    TRACED(ompd_get_generating_task_handle(task_handle, generating_task_handle), ARG(POINTER, task_handle),
           ARG(OUT_HEX, generating_task_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    struct handle_chain chain;
    ompd_task_handle_t *generating;
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(generating_task_handle));
    API_TRY(aspace->rt->task_generator(aspace, &task_handle->base.ref, &ref));
    API_TRY(handle_step(&task_handle->generating, task_handle->base.ref.address, ref.address, &chain));
    API_TRY(handle_new(aspace, HANDLE_TASK, &ref, &generating));
    generating->generating = chain;
    *generating_task_handle = generating;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *task_handle,
                                          ompd_task_handle_t **scheduling_task_handle)
{
    TRACED(ompd_get_scheduling_task_handle(task_handle, scheduling_task_handle), ARG(POINTER, task_handle),
           ARG(OUT_HEX, scheduling_task_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    struct handle_chain chain;
    ompd_task_handle_t *scheduling;
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(scheduling_task_handle));
    API_TRY(aspace->rt->task_scheduler(aspace, &task_handle->base.ref, &ref));
    API_TRY(handle_step(&task_handle->scheduling, task_handle->base.ref.address, ref.address, &chain));
    API_TRY(handle_new(aspace, HANDLE_TASK, &ref, &scheduling));
    scheduling->scheduling = chain;
    *scheduling_task_handle = scheduling;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
                                    ompd_task_handle_t **task_handle)
{
    TRACED(ompd_get_task_in_parallel(parallel_handle, thread_num, task_handle), ARG(POINTER, parallel_handle),
           ARG(NUMBER, thread_num), ARG(OUT_HEX, task_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    API_TRY(api_enter_parallel(parallel_handle, &aspace));
    API_TRY(api_output(task_handle));
    API_TRY(aspace->rt->region_task(aspace, &parallel_handle->base.ref, thread_num, &ref));
    return api_code(handle_new(aspace, HANDLE_TASK, &ref, task_handle));
}

ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle)
{
    TRACED(ompd_rel_task_handle(task_handle), ARG(POINTER, task_handle));
    return api_release(task_handle, HANDLE_TASK);
}

ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *task_handle_1, ompd_task_handle_t *task_handle_2,
                                   int *cmp_value)
{
    TRACED(ompd_task_handle_compare(task_handle_1, task_handle_2, cmp_value), ARG(POINTER, task_handle_1),
           ARG(POINTER, task_handle_2), ARG(OUT_INT, cmp_value));
    API_ASPACE(first);
    API_ASPACE(second);
    API_TRY(api_enter_task(task_handle_1, &first));
    API_TRY(api_enter_task(task_handle_2, &second));
    API_TRY(api_output(cmp_value));
    *cmp_value = api_compare(first, &task_handle_1->base.ref, second, &task_handle_2->base.ref);
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle, ompd_address_t *entry_point)
{
    TRACED(ompd_get_task_function(task_handle, entry_point), ARG(POINTER, task_handle),
           ARG(OUT_ADDRESS, entry_point));
    API_ASPACE(aspace);
    uint64_t function;
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(entry_point));
    API_TRY(aspace->rt->task_function(aspace, &task_handle->base.ref, &function));
    *entry_point = (ompd_address_t){.segment = ompd_segment_none, .address = function};
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_frame(ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame,
                              ompd_frame_info_t *enter_frame)
{
    TRACED(ompd_get_task_frame(task_handle, exit_frame, enter_frame), ARG(POINTER, task_handle),
           ARG(POINTER, exit_frame), ARG(POINTER, enter_frame));
    API_ASPACE(aspace);
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(exit_frame));
    API_TRY(api_output(enter_frame));
    return api_code(aspace->rt->task_frame(aspace, &task_handle->base.ref, exit_frame, enter_frame));
}
