/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The functions that libompd.so exports: see trace.h.
 */
#define OMPD_TRACE_CALLS
#include "trace.h"

#define ARGUMENT(kind, name)                             \
    {                                                    \
#name, TRACE_##kind, (uint64_t)(uintptr_t)(name) \
    }
#define NO_MORE            \
    {                      \
        NULL, TRACE_END, 0 \
    }

#define TRACED(name, parameters, arguments, ...)                     \
    ompd_rc_t name parameters                                        \
    {                                                                \
        if (__builtin_expect(!trace_on, 1))                          \
            return untraced_##name arguments;                        \
        const struct trace_argument list[] = {__VA_ARGS__, NO_MORE}; \
        trace_enter();                                               \
        ompd_rc_t rc = untraced_##name arguments;                    \
        trace_leave(#name, list, rc);                                \
        return rc;                                                   \
    }

TRACED(ompd_device_initialize,
       (ompd_address_space_handle_t * host_handle, ompd_address_space_context_t *device_context,
        ompd_device_t kind, ompd_size_t sizeof_id, void *id, ompd_address_space_handle_t **device_handle),
       (host_handle, device_context, kind, sizeof_id, id, device_handle), ARGUMENT(POINTER, host_handle),
       ARGUMENT(POINTER, device_context), ARGUMENT(NUMBER, kind), ARGUMENT(NUMBER, sizeof_id),
       ARGUMENT(POINTER, id), ARGUMENT(OUT_HEX, device_handle))
TRACED(ompd_enumerate_icvs,
       (ompd_address_space_handle_t * handle, ompd_icv_id_t current, ompd_icv_id_t *next_id,
        const char **next_icv_name, ompd_scope_t *next_scope, int *more),
       (handle, current, next_id, next_icv_name, next_scope, more), ARGUMENT(POINTER, handle),
       ARGUMENT(NUMBER, current), ARGUMENT(OUT_HEX, next_id), ARGUMENT(OUT_STRING, next_icv_name),
       ARGUMENT(OUT_INT, next_scope), ARGUMENT(OUT_INT, more))
TRACED(ompd_enumerate_states,
       (ompd_address_space_handle_t * address_space_handle, ompd_word_t current_state,
        ompd_word_t *next_state, const char **next_state_name, ompd_word_t *more_enums),
       (address_space_handle, current_state, next_state, next_state_name, more_enums),
       ARGUMENT(POINTER, address_space_handle), ARGUMENT(NUMBER, current_state),
       ARGUMENT(OUT_WORD, next_state), ARGUMENT(OUT_STRING, next_state_name), ARGUMENT(OUT_WORD, more_enums))
TRACED(ompd_finalize, (void), (), NO_MORE)
TRACED(ompd_get_api_version, (ompd_word_t * version), (version), ARGUMENT(OUT_WORD, version))
TRACED(ompd_get_curr_parallel_handle,
       (ompd_thread_handle_t * thread_handle, ompd_parallel_handle_t **parallel_handle),
       (thread_handle, parallel_handle), ARGUMENT(POINTER, thread_handle), ARGUMENT(OUT_HEX, parallel_handle))
TRACED(ompd_get_curr_task_handle, (ompd_thread_handle_t * thread_handle, ompd_task_handle_t **task_handle),
       (thread_handle, task_handle), ARGUMENT(POINTER, thread_handle), ARGUMENT(OUT_HEX, task_handle))
TRACED(ompd_get_device_from_thread,
       (ompd_thread_handle_t * thread_handle, ompd_address_space_handle_t **device), (thread_handle, device),
       ARGUMENT(POINTER, thread_handle), ARGUMENT(OUT_HEX, device))
TRACED(ompd_get_device_thread_id_kinds,
       (ompd_address_space_handle_t * device_handle, ompd_thread_id_t **kinds, ompd_size_t **thread_id_sizes,
        int *count),
       (device_handle, kinds, thread_id_sizes, count), ARGUMENT(POINTER, device_handle),
       ARGUMENT(OUT_HEX, kinds), ARGUMENT(OUT_HEX, thread_id_sizes), ARGUMENT(OUT_INT, count))
TRACED(ompd_get_display_control_vars,
       (ompd_address_space_handle_t * address_space_handle, const char *const **control_vars),
       (address_space_handle, control_vars), ARGUMENT(POINTER, address_space_handle),
       ARGUMENT(OUT_HEX, control_vars))
TRACED(ompd_get_enclosing_parallel_handle,
       (ompd_parallel_handle_t * parallel_handle, ompd_parallel_handle_t **enclosing_parallel_handle),
       (parallel_handle, enclosing_parallel_handle), ARGUMENT(POINTER, parallel_handle),
       ARGUMENT(OUT_HEX, enclosing_parallel_handle))
TRACED(ompd_get_generating_task_handle,
       (ompd_task_handle_t * task_handle, ompd_task_handle_t **generating_task_handle),
       (task_handle, generating_task_handle), ARGUMENT(POINTER, task_handle),
       ARGUMENT(OUT_HEX, generating_task_handle))
TRACED(ompd_get_icv_from_scope,
       (void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id, ompd_word_t *icv_value),
       (handle, scope, icv_id, icv_value), ARGUMENT(POINTER, handle), ARGUMENT(NUMBER, scope),
       ARGUMENT(NUMBER, icv_id), ARGUMENT(OUT_WORD, icv_value))
TRACED(ompd_get_icv_string_from_scope,
       (void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id, const char **icv_string),
       (handle, scope, icv_id, icv_string), ARGUMENT(POINTER, handle), ARGUMENT(NUMBER, scope),
       ARGUMENT(NUMBER, icv_id), ARGUMENT(OUT_STRING, icv_string))
TRACED(ompd_get_omp_version, (ompd_address_space_handle_t * address_space, ompd_word_t *omp_version),
       (address_space, omp_version), ARGUMENT(POINTER, address_space), ARGUMENT(OUT_WORD, omp_version))
TRACED(ompd_get_omp_version_string, (ompd_address_space_handle_t * address_space, const char **string),
       (address_space, string), ARGUMENT(POINTER, address_space), ARGUMENT(OUT_STRING, string))
TRACED(ompd_get_scheduling_task_handle,
       (ompd_task_handle_t * task_handle, ompd_task_handle_t **scheduling_task_handle),
       (task_handle, scheduling_task_handle), ARGUMENT(POINTER, task_handle),
       ARGUMENT(OUT_HEX, scheduling_task_handle))
TRACED(ompd_get_state, (ompd_thread_handle_t * thread_handle, ompd_word_t *state, ompd_wait_id_t *wait_id),
       (thread_handle, state, wait_id), ARGUMENT(POINTER, thread_handle), ARGUMENT(OUT_WORD, state),
       ARGUMENT(OUT_HEX, wait_id))
TRACED(ompd_get_task_frame,
       (ompd_task_handle_t * task_handle, ompd_frame_info_t *exit_frame, ompd_frame_info_t *enter_frame),
       (task_handle, exit_frame, enter_frame), ARGUMENT(POINTER, task_handle), ARGUMENT(POINTER, exit_frame),
       ARGUMENT(POINTER, enter_frame))
TRACED(ompd_get_task_function, (ompd_task_handle_t * task_handle, ompd_address_t *entry_point),
       (task_handle, entry_point), ARGUMENT(POINTER, task_handle), ARGUMENT(OUT_ADDRESS, entry_point))
TRACED(ompd_get_task_in_parallel,
       (ompd_parallel_handle_t * parallel_handle, int thread_num, ompd_task_handle_t **task_handle),
       (parallel_handle, thread_num, task_handle), ARGUMENT(POINTER, parallel_handle),
       ARGUMENT(NUMBER, thread_num), ARGUMENT(OUT_HEX, task_handle))
TRACED(ompd_get_task_parallel_handle,
       (ompd_task_handle_t * task_handle, ompd_parallel_handle_t **task_parallel_handle),
       (task_handle, task_parallel_handle), ARGUMENT(POINTER, task_handle),
       ARGUMENT(OUT_HEX, task_parallel_handle))
TRACED(ompd_get_thread_handle,
       (ompd_address_space_handle_t * handle, ompd_thread_id_t kind, ompd_size_t sizeof_thread_id,
        const void *thread_id, ompd_thread_handle_t **thread_handle),
       (handle, kind, sizeof_thread_id, thread_id, thread_handle), ARGUMENT(POINTER, handle),
       ARGUMENT(NUMBER, kind), ARGUMENT(NUMBER, sizeof_thread_id), ARGUMENT(POINTER, thread_id),
       ARGUMENT(OUT_HEX, thread_handle))
TRACED(ompd_get_thread_id,
       (ompd_thread_handle_t * thread_handle, ompd_thread_id_t kind, ompd_size_t sizeof_thread_id,
        void *thread_id),
       (thread_handle, kind, sizeof_thread_id, thread_id), ARGUMENT(POINTER, thread_handle),
       ARGUMENT(NUMBER, kind), ARGUMENT(NUMBER, sizeof_thread_id), ARGUMENT(POINTER, thread_id))
TRACED(ompd_get_thread_in_parallel,
       (ompd_parallel_handle_t * parallel_handle, int thread_num, ompd_thread_handle_t **thread_handle),
       (parallel_handle, thread_num, thread_handle), ARGUMENT(POINTER, parallel_handle),
       ARGUMENT(NUMBER, thread_num), ARGUMENT(OUT_HEX, thread_handle))
TRACED(ompd_get_tool_data, (void *handle, ompd_scope_t scope, ompd_word_t *value, ompd_address_t *ptr),
       (handle, scope, value, ptr), ARGUMENT(POINTER, handle), ARGUMENT(NUMBER, scope),
       ARGUMENT(OUT_WORD, value), ARGUMENT(OUT_ADDRESS, ptr))
TRACED(ompd_get_version_string, (const char **string), (string), ARGUMENT(OUT_STRING, string))
TRACED(ompd_initialize, (ompd_word_t api_version, const ompd_callbacks_t *callbacks),
       (api_version, callbacks), ARGUMENT(NUMBER, api_version), ARGUMENT(POINTER, callbacks))
TRACED(ompd_parallel_handle_compare,
       (ompd_parallel_handle_t * parallel_handle_1, ompd_parallel_handle_t *parallel_handle_2,
        int *cmp_value),
       (parallel_handle_1, parallel_handle_2, cmp_value), ARGUMENT(POINTER, parallel_handle_1),
       ARGUMENT(POINTER, parallel_handle_2), ARGUMENT(OUT_INT, cmp_value))
TRACED(ompd_process_initialize,
       (ompd_address_space_context_t * context, ompd_address_space_handle_t **host_handle),
       (context, host_handle), ARGUMENT(POINTER, context), ARGUMENT(OUT_HEX, host_handle))
TRACED(ompd_rel_address_space_handle, (ompd_address_space_handle_t * handle), (handle),
       ARGUMENT(POINTER, handle))
TRACED(ompd_rel_display_control_vars, (const char *const **control_vars), (control_vars),
       ARGUMENT(OUT_HEX, control_vars))
TRACED(ompd_rel_parallel_handle, (ompd_parallel_handle_t * parallel_handle), (parallel_handle),
       ARGUMENT(POINTER, parallel_handle))
TRACED(ompd_rel_task_handle, (ompd_task_handle_t * task_handle), (task_handle),
       ARGUMENT(POINTER, task_handle))
TRACED(ompd_rel_thread_handle, (ompd_thread_handle_t * thread_handle), (thread_handle),
       ARGUMENT(POINTER, thread_handle))
TRACED(ompd_task_handle_compare,
       (ompd_task_handle_t * task_handle_1, ompd_task_handle_t *task_handle_2, int *cmp_value),
       (task_handle_1, task_handle_2, cmp_value), ARGUMENT(POINTER, task_handle_1),
       ARGUMENT(POINTER, task_handle_2), ARGUMENT(OUT_INT, cmp_value))
TRACED(ompd_thread_handle_compare,
       (ompd_thread_handle_t * thread_handle_1, ompd_thread_handle_t *thread_handle_2, int *cmp_value),
       (thread_handle_1, thread_handle_2, cmp_value), ARGUMENT(POINTER, thread_handle_1),
       ARGUMENT(POINTER, thread_handle_2), ARGUMENT(OUT_INT, cmp_value))
TRACED(ompdx_get_all_parallels,
       (ompd_address_space_handle_t * handle, ompd_parallel_handle_t ***handles, int *count),
       (handle, handles, count), ARGUMENT(POINTER, handle), ARGUMENT(OUT_HEX, handles),
       ARGUMENT(OUT_INT, count))
TRACED(ompdx_get_all_tasks, (ompd_address_space_handle_t * handle, ompd_task_handle_t ***handles, int *count),
       (handle, handles, count), ARGUMENT(POINTER, handle), ARGUMENT(OUT_HEX, handles),
       ARGUMENT(OUT_INT, count))
TRACED(ompdx_get_all_threads,
       (ompd_address_space_handle_t * handle, ompd_thread_handle_t ***handles, int *count),
       (handle, handles, count), ARGUMENT(POINTER, handle), ARGUMENT(OUT_HEX, handles),
       ARGUMENT(OUT_INT, count))
TRACED(ompdx_get_barrier_arrivals, (ompd_parallel_handle_t * parallel, int **thread_nums, int *count),
       (parallel, thread_nums, count), ARGUMENT(POINTER, parallel), ARGUMENT(OUT_HEX, thread_nums),
       ARGUMENT(OUT_INT, count))
TRACED(ompdx_get_parallel_info, (ompd_parallel_handle_t * parallel, ompdx_parallel_info_t *info),
       (parallel, info), ARGUMENT(POINTER, parallel), ARGUMENT(POINTER, info))
TRACED(ompdx_get_runtime_info, (ompd_address_space_handle_t * handle, ompdx_runtime_info_t *info),
       (handle, info), ARGUMENT(POINTER, handle), ARGUMENT(POINTER, info))
TRACED(ompdx_get_task_info, (ompd_task_handle_t * task, ompdx_task_info_t *info), (task, info),
       ARGUMENT(POINTER, task), ARGUMENT(POINTER, info))
TRACED(ompdx_get_task_predecessors, (ompd_task_handle_t * task, uint64_t **ids, int *count),
       (task, ids, count), ARGUMENT(POINTER, task), ARGUMENT(OUT_HEX, ids), ARGUMENT(OUT_INT, count))
TRACED(ompdx_get_thread_info, (ompd_thread_handle_t * thread, ompdx_thread_info_t *info), (thread, info),
       ARGUMENT(POINTER, thread), ARGUMENT(POINTER, info))
TRACED(ompdx_stop_begin, (ompd_address_space_handle_t * handle), (handle), ARGUMENT(POINTER, handle))
TRACED(ompdx_stop_end, (ompd_address_space_handle_t * handle), (handle), ARGUMENT(POINTER, handle))
