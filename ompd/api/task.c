/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks. OpenMP 6.0 section 41.6.
 */
#include "api/api.h"

ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *thread_handle, ompd_task_handle_t **task_handle)
{
    API_ASPACE(aspace);
    struct rtm_ref ref;
    API_TRY(api_enter_thread(thread_handle, &aspace));
    API_TRY(api_output(task_handle));
    API_TRY(aspace->rt->thread_task(aspace, &thread_handle->ref, &ref));
    return api_code(handle_new_task(aspace, &ref, task_handle));
}

ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *task_handle,
                                          ompd_task_handle_t **generating_task_handle)
{
    API_ASPACE(aspace);
    struct rtm_ref ref;
    struct handle_chain chain;
    ompd_task_handle_t *generating;
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(generating_task_handle));
    API_TRY(aspace->rt->task_generator(aspace, &task_handle->ref, &ref));
    API_TRY(handle_step(&task_handle->generating, task_handle->ref.address, ref.address, &chain));
    API_TRY(handle_new_task(aspace, &ref, &generating));
    generating->generating = chain;
    *generating_task_handle = generating;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *task_handle,
                                          ompd_task_handle_t **scheduling_task_handle)
{
    API_ASPACE(aspace);
    struct rtm_ref ref;
    struct handle_chain chain;
    ompd_task_handle_t *scheduling;
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(scheduling_task_handle));
    API_TRY(aspace->rt->task_scheduler(aspace, &task_handle->ref, &ref));
    API_TRY(handle_step(&task_handle->scheduling, task_handle->ref.address, ref.address, &chain));
    API_TRY(handle_new_task(aspace, &ref, &scheduling));
    scheduling->scheduling = chain;
    *scheduling_task_handle = scheduling;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
                                    ompd_task_handle_t **task_handle)
{
    API_ASPACE(aspace);
    struct rtm_ref ref;
    API_TRY(api_enter_parallel(parallel_handle, &aspace));
    API_TRY(api_output(task_handle));
    API_TRY(aspace->rt->region_task(aspace, &parallel_handle->ref, thread_num, &ref));
    return api_code(handle_new_task(aspace, &ref, task_handle));
}

ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle)
{
    aspace_t *aspace = NULL;
    ompd_rc_t rc = api_enter_task(task_handle, &aspace);
    if (rc == ompd_rc_stale_handle && task_handle != NULL && task_handle->tag == HANDLE_TASK &&
        api_outlives(task_handle->aspace))
        rc = ompd_rc_ok;
    API_TRY(rc);
    handle_free_task(task_handle);
    return ompd_rc_ok;
}

ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *task_handle_1, ompd_task_handle_t *task_handle_2,
                                   int *cmp_value)
{
    API_ASPACE(first);
    API_ASPACE(second);
    API_TRY(api_enter_task(task_handle_1, &first));
    API_TRY(api_enter_task(task_handle_2, &second));
    API_TRY(api_output(cmp_value));
    *cmp_value = api_compare(first, &task_handle_1->ref, second, &task_handle_2->ref);
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle, ompd_address_t *entry_point)
{
    API_ASPACE(aspace);
    uint64_t function;
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(entry_point));
    API_TRY(aspace->rt->task_function(aspace, &task_handle->ref, &function));
    *entry_point = (ompd_address_t){.segment = ompd_segment_none, .address = function};
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_frame(ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame,
                              ompd_frame_info_t *enter_frame)
{
    API_ASPACE(aspace);
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(exit_frame));
    API_TRY(api_output(enter_frame));
    return api_code(aspace->rt->task_frame(aspace, &task_handle->ref, exit_frame, enter_frame));
}
