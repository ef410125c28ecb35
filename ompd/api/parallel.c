/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions. OpenMP 6.0 section 41.5.
 */
#include "api/api.h"

ompd_rc_t ompd_get_curr_parallel_handle(ompd_thread_handle_t *thread_handle,
                                        ompd_parallel_handle_t **parallel_handle)
{
    TRACED(ompd_get_curr_parallel_handle(thread_handle, parallel_handle), ARG(POINTER, thread_handle),
           ARG(OUT_HEX, parallel_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    API_TRY(api_enter_thread(thread_handle, &aspace));
    API_TRY(api_output(parallel_handle));
    API_TRY(aspace->rt->thread_region(aspace, &thread_handle->base.ref, &ref));
    return api_code(handle_new(aspace, HANDLE_PARALLEL, &ref, parallel_handle));
}

ompd_rc_t ompd_get_enclosing_parallel_handle(ompd_parallel_handle_t *parallel_handle,
                                             ompd_parallel_handle_t **enclosing_parallel_handle)
{
    TRACED(ompd_get_enclosing_parallel_handle(parallel_handle, enclosing_parallel_handle),
           ARG(POINTER, parallel_handle), ARG(OUT_HEX, enclosing_parallel_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    struct handle_chain chain;
    ompd_parallel_handle_t *enclosing;
    API_TRY(api_enter_parallel(parallel_handle, &aspace));
    API_TRY(api_output(enclosing_parallel_handle));
    API_TRY(aspace->rt->region_enclosing(aspace, &parallel_handle->base.ref, &ref));
    API_TRY(handle_step(&parallel_handle->enclosing, parallel_handle->base.ref.address, ref.address, &chain));
    API_TRY(handle_new(aspace, HANDLE_PARALLEL, &ref, &enclosing));
    enclosing->enclosing = chain;
    *enclosing_parallel_handle = enclosing;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_parallel_handle(ompd_task_handle_t *task_handle,
                                        ompd_parallel_handle_t **task_parallel_handle)
{
    TRACED(ompd_get_task_parallel_handle(task_handle, task_parallel_handle), ARG(POINTER, task_handle),
           ARG(OUT_HEX, task_parallel_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    API_TRY(api_enter_task(task_handle, &aspace));
    API_TRY(api_output(task_parallel_handle));
    API_TRY(aspace->rt->task_region(aspace, &task_handle->base.ref, &ref));
    return api_code(handle_new(aspace, HANDLE_PARALLEL, &ref, task_parallel_handle));
}

ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *parallel_handle)
{
    TRACED(ompd_rel_parallel_handle(parallel_handle), ARG(POINTER, parallel_handle));
    return api_release(parallel_handle, HANDLE_PARALLEL);
}

ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *parallel_handle_1,
                                       ompd_parallel_handle_t *parallel_handle_2, int *cmp_value)
{
    TRACED(ompd_parallel_handle_compare(parallel_handle_1, parallel_handle_2, cmp_value),
           ARG(POINTER, parallel_handle_1), ARG(POINTER, parallel_handle_2), ARG(OUT_INT, cmp_value));
    API_ASPACE(first);
    API_ASPACE(second);
    API_TRY(api_enter_parallel(parallel_handle_1, &first));
    API_TRY(api_enter_parallel(parallel_handle_2, &second));
    API_TRY(api_output(cmp_value));
    *cmp_value = api_compare(first, &parallel_handle_1->base.ref, second, &parallel_handle_2->base.ref);
    return ompd_rc_ok;
}
