/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/survey.h"

#define ICVS 60

static void icvs(struct calls *calls, uint8_t space)
{
    for (uint8_t icv = 1; icv < ICVS; icv++) {
        const uint8_t argument[3] = {space, icv, 0};
        (void)call_run(calls, CALL_ompd_get_icv_from_scope, argument);
        (void)call_run(calls, CALL_ompd_get_icv_string_from_scope, argument);
    }
}

static void each(struct calls *calls, uint8_t space, const uint8_t *functions, unsigned count)
{
    const uint8_t argument[3] = {space, 0, 0};
    for (unsigned i = 0; i < count; i++)
        (void)call_run(calls, functions[i], argument);
}
#define EACH(list) each(calls, space, list, sizeof(list))

void survey(struct calls *calls, unsigned aspace, unsigned entities, bool bracket)
{
    static const uint8_t process[] = {CALL_ompd_get_omp_version, CALL_ompd_get_omp_version_string,
                                      CALL_ompdx_get_runtime_info, CALL_ompd_get_device_thread_id_kinds,
                                      CALL_ompd_get_display_control_vars};
    static const uint8_t thread[] = {CALL_ompd_get_state,
                                     CALL_ompd_get_thread_id,
                                     CALL_ompd_get_device_from_thread,
                                     CALL_ompdx_get_thread_info,
                                     CALL_ompd_get_curr_task_handle,
                                     CALL_ompd_get_curr_parallel_handle,
                                     CALL_ompdx_get_held,
                                     CALL_ompdx_get_place};
    static const uint8_t region[] = {CALL_ompdx_get_parallel_info, CALL_ompdx_get_barrier_arrivals,
                                     CALL_ompd_get_thread_in_parallel, CALL_ompd_get_task_in_parallel,
                                     CALL_ompd_get_enclosing_parallel_handle};
    static const uint8_t task[] = {CALL_ompdx_get_task_info,
                                   CALL_ompdx_get_task_predecessors,
                                   CALL_ompd_get_task_function,
                                   CALL_ompd_get_task_frame,
                                   CALL_ompd_get_task_parallel_handle,
                                   CALL_ompd_get_scheduling_task_handle,
                                   CALL_ompd_get_generating_task_handle,
                                   CALL_ompdx_get_loop_info};
    const uint8_t space = (uint8_t)(aspace << 4);
    uint8_t argument[3] = {space, 0, 0};
    if (bracket)
        (void)call_run(calls, CALL_ompdx_stop_begin, argument);
    EACH(process);
    (void)call_run(calls, CALL_ompd_get_thread_handle, argument);
    for (unsigned i = 0; i < entities; i++) {
        argument[1] = (uint8_t)i;
        (void)call_run(calls, CALL_ompdx_get_all_threads, argument);
        EACH(thread);
        (void)call_run(calls, CALL_ompdx_get_all_parallels, argument);
        EACH(region);
        (void)call_run(calls, CALL_ompdx_get_all_tasks, argument);
        EACH(task);
    }
    icvs(calls, space);
    if (bracket)
        (void)call_run(calls, CALL_ompdx_stop_end, argument);
}
