/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The call trace (ompdx_trace).
 *
 * The exported functions are in trace_calls.c: each calls the function that does the work, and when the trace is on,
 * tells of it. So that the files in api/ read as the API does, the names of their functions are replaced here; a new
 * function needs a line in both lists and one in trace_calls.c (ompd/conformance asks for each exported one).
 *
 * Off, a call costs one load and a branch that is never taken. On, the callback table is replaced by one that counts.
 */
#ifndef OMPD_TRACE_H
#define OMPD_TRACE_H

#include "target.h"

/** How an argument is shown. OUT: what it points to, after a call that was ok. */
enum trace_kind {
    TRACE_END,
    TRACE_POINTER,
    TRACE_NUMBER,
    TRACE_OUT_INT,
    TRACE_OUT_WORD,
    TRACE_OUT_HEX,
    TRACE_OUT_STRING,
    TRACE_OUT_ADDRESS
};
struct trace_argument {
    const char *name;
    enum trace_kind kind;
    uint64_t value; /**< or the pointer */
};

extern bool trace_on;
/** Before a traced call: forgets the counts. */
void trace_enter(void);
/** One line of it. */
void trace_leave(const char *function, const struct trace_argument *arguments, ompd_rc_t rc);

__typeof__(ompd_device_initialize) untraced_ompd_device_initialize;
__typeof__(ompd_enumerate_icvs) untraced_ompd_enumerate_icvs;
__typeof__(ompd_enumerate_states) untraced_ompd_enumerate_states;
__typeof__(ompd_finalize) untraced_ompd_finalize;
__typeof__(ompd_get_api_version) untraced_ompd_get_api_version;
__typeof__(ompd_get_curr_parallel_handle) untraced_ompd_get_curr_parallel_handle;
__typeof__(ompd_get_curr_task_handle) untraced_ompd_get_curr_task_handle;
__typeof__(ompd_get_device_from_thread) untraced_ompd_get_device_from_thread;
__typeof__(ompd_get_device_thread_id_kinds) untraced_ompd_get_device_thread_id_kinds;
__typeof__(ompd_get_display_control_vars) untraced_ompd_get_display_control_vars;
__typeof__(ompd_get_enclosing_parallel_handle) untraced_ompd_get_enclosing_parallel_handle;
__typeof__(ompd_get_generating_task_handle) untraced_ompd_get_generating_task_handle;
__typeof__(ompd_get_icv_from_scope) untraced_ompd_get_icv_from_scope;
__typeof__(ompd_get_icv_string_from_scope) untraced_ompd_get_icv_string_from_scope;
__typeof__(ompd_get_omp_version) untraced_ompd_get_omp_version;
__typeof__(ompd_get_omp_version_string) untraced_ompd_get_omp_version_string;
__typeof__(ompd_get_scheduling_task_handle) untraced_ompd_get_scheduling_task_handle;
__typeof__(ompd_get_state) untraced_ompd_get_state;
__typeof__(ompd_get_task_frame) untraced_ompd_get_task_frame;
__typeof__(ompd_get_task_function) untraced_ompd_get_task_function;
__typeof__(ompd_get_task_in_parallel) untraced_ompd_get_task_in_parallel;
__typeof__(ompd_get_task_parallel_handle) untraced_ompd_get_task_parallel_handle;
__typeof__(ompd_get_thread_handle) untraced_ompd_get_thread_handle;
__typeof__(ompd_get_thread_id) untraced_ompd_get_thread_id;
__typeof__(ompd_get_thread_in_parallel) untraced_ompd_get_thread_in_parallel;
__typeof__(ompd_get_tool_data) untraced_ompd_get_tool_data;
__typeof__(ompd_get_version_string) untraced_ompd_get_version_string;
__typeof__(ompd_initialize) untraced_ompd_initialize;
__typeof__(ompd_parallel_handle_compare) untraced_ompd_parallel_handle_compare;
__typeof__(ompd_process_initialize) untraced_ompd_process_initialize;
__typeof__(ompd_rel_address_space_handle) untraced_ompd_rel_address_space_handle;
__typeof__(ompd_rel_display_control_vars) untraced_ompd_rel_display_control_vars;
__typeof__(ompd_rel_parallel_handle) untraced_ompd_rel_parallel_handle;
__typeof__(ompd_rel_task_handle) untraced_ompd_rel_task_handle;
__typeof__(ompd_rel_thread_handle) untraced_ompd_rel_thread_handle;
__typeof__(ompd_task_handle_compare) untraced_ompd_task_handle_compare;
__typeof__(ompd_thread_handle_compare) untraced_ompd_thread_handle_compare;
__typeof__(ompdx_get_all_parallels) untraced_ompdx_get_all_parallels;
__typeof__(ompdx_get_all_tasks) untraced_ompdx_get_all_tasks;
__typeof__(ompdx_get_all_threads) untraced_ompdx_get_all_threads;
__typeof__(ompdx_get_barrier_arrivals) untraced_ompdx_get_barrier_arrivals;
__typeof__(ompdx_get_parallel_info) untraced_ompdx_get_parallel_info;
__typeof__(ompdx_get_runtime_info) untraced_ompdx_get_runtime_info;
__typeof__(ompdx_get_task_info) untraced_ompdx_get_task_info;
__typeof__(ompdx_get_task_predecessors) untraced_ompdx_get_task_predecessors;
__typeof__(ompdx_get_thread_info) untraced_ompdx_get_thread_info;
__typeof__(ompdx_stop_begin) untraced_ompdx_stop_begin;
__typeof__(ompdx_stop_end) untraced_ompdx_stop_end;

#ifndef OMPD_TRACE_CALLS
#define ompd_device_initialize             untraced_ompd_device_initialize
#define ompd_enumerate_icvs                untraced_ompd_enumerate_icvs
#define ompd_enumerate_states              untraced_ompd_enumerate_states
#define ompd_finalize                      untraced_ompd_finalize
#define ompd_get_api_version               untraced_ompd_get_api_version
#define ompd_get_curr_parallel_handle      untraced_ompd_get_curr_parallel_handle
#define ompd_get_curr_task_handle          untraced_ompd_get_curr_task_handle
#define ompd_get_device_from_thread        untraced_ompd_get_device_from_thread
#define ompd_get_device_thread_id_kinds    untraced_ompd_get_device_thread_id_kinds
#define ompd_get_display_control_vars      untraced_ompd_get_display_control_vars
#define ompd_get_enclosing_parallel_handle untraced_ompd_get_enclosing_parallel_handle
#define ompd_get_generating_task_handle    untraced_ompd_get_generating_task_handle
#define ompd_get_icv_from_scope            untraced_ompd_get_icv_from_scope
#define ompd_get_icv_string_from_scope     untraced_ompd_get_icv_string_from_scope
#define ompd_get_omp_version               untraced_ompd_get_omp_version
#define ompd_get_omp_version_string        untraced_ompd_get_omp_version_string
#define ompd_get_scheduling_task_handle    untraced_ompd_get_scheduling_task_handle
#define ompd_get_state                     untraced_ompd_get_state
#define ompd_get_task_frame                untraced_ompd_get_task_frame
#define ompd_get_task_function             untraced_ompd_get_task_function
#define ompd_get_task_in_parallel          untraced_ompd_get_task_in_parallel
#define ompd_get_task_parallel_handle      untraced_ompd_get_task_parallel_handle
#define ompd_get_thread_handle             untraced_ompd_get_thread_handle
#define ompd_get_thread_id                 untraced_ompd_get_thread_id
#define ompd_get_thread_in_parallel        untraced_ompd_get_thread_in_parallel
#define ompd_get_tool_data                 untraced_ompd_get_tool_data
#define ompd_get_version_string            untraced_ompd_get_version_string
#define ompd_initialize                    untraced_ompd_initialize
#define ompd_parallel_handle_compare       untraced_ompd_parallel_handle_compare
#define ompd_process_initialize            untraced_ompd_process_initialize
#define ompd_rel_address_space_handle      untraced_ompd_rel_address_space_handle
#define ompd_rel_display_control_vars      untraced_ompd_rel_display_control_vars
#define ompd_rel_parallel_handle           untraced_ompd_rel_parallel_handle
#define ompd_rel_task_handle               untraced_ompd_rel_task_handle
#define ompd_rel_thread_handle             untraced_ompd_rel_thread_handle
#define ompd_task_handle_compare           untraced_ompd_task_handle_compare
#define ompd_thread_handle_compare         untraced_ompd_thread_handle_compare
#define ompdx_get_all_parallels            untraced_ompdx_get_all_parallels
#define ompdx_get_all_tasks                untraced_ompdx_get_all_tasks
#define ompdx_get_all_threads              untraced_ompdx_get_all_threads
#define ompdx_get_barrier_arrivals         untraced_ompdx_get_barrier_arrivals
#define ompdx_get_parallel_info            untraced_ompdx_get_parallel_info
#define ompdx_get_runtime_info             untraced_ompdx_get_runtime_info
#define ompdx_get_task_info                untraced_ompdx_get_task_info
#define ompdx_get_task_predecessors        untraced_ompdx_get_task_predecessors
#define ompdx_get_thread_info              untraced_ompdx_get_thread_info
#define ompdx_stop_begin                   untraced_ompdx_stop_begin
#define ompdx_stop_end                     untraced_ompdx_stop_end
#endif

#endif
