/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binary interface that omp.h, omp-tools.h and ompd-types.h describe, against the numbers of the OpenMP
 * specification and of the compilers' own runtimes. Most of it fails at compile time.
 */
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gtest/gtest.h"
#include "omp-tools.h"
#include "omp.h"
#include "ompd-types.h"

#define VALUE(name, number) \
    static_assert(static_cast<std::uint64_t>(name) == static_cast<std::uint64_t>(number), #name)
#define SIZE(type, bytes)           static_assert(sizeof(type) == (bytes), #type)
#define OFFSET(type, member, bytes) static_assert(offsetof(type, member) == (bytes), #type "." #member)
#define SAME(a, ...)                static_assert(std::is_same<a, __VA_ARGS__>::value, #a)
#define ROUTINE(name, ...) \
    static_assert(std::is_same<decltype(&name), ompd_rc_t (*)(__VA_ARGS__)>::value, #name)

/* ompd_rc_t */
VALUE(ompd_rc_ok, 0);
VALUE(ompd_rc_unavailable, 1);
VALUE(ompd_rc_stale_handle, 2);
VALUE(ompd_rc_bad_input, 3);
VALUE(ompd_rc_error, 4);
VALUE(ompd_rc_unsupported, 5);
VALUE(ompd_rc_needs_state_tracking, 6);
VALUE(ompd_rc_incompatible, 7);
VALUE(ompd_rc_device_read_error, 8);
VALUE(ompd_rc_device_write_error, 9);
VALUE(ompd_rc_nomem, 10);
VALUE(ompd_rc_incomplete, 11);
VALUE(ompd_rc_callback_error, 12);
VALUE(ompd_rc_incompatible_handle, 13);

/* ompd_scope_t */
VALUE(ompd_scope_global, 1);
VALUE(ompd_scope_address_space, 2);
VALUE(ompd_scope_thread, 3);
VALUE(ompd_scope_parallel, 4);
VALUE(ompd_scope_implicit_task, 5);
VALUE(ompd_scope_task, 6);
VALUE(ompd_scope_teams, 7);
VALUE(ompd_scope_target, 8);

/* ompd_team_generator_t */
VALUE(ompd_generator_program, 0);
VALUE(ompd_generator_parallel, 1);
VALUE(ompd_generator_teams, 2);
VALUE(ompd_generator_target, 3);

/* ompd-types.h */
VALUE(OMPD_TYPES_VERSION, 20180906);
VALUE(OMPD_THREAD_ID_PTHREAD, 0);
VALUE(OMPD_THREAD_ID_LWP, 1);
VALUE(OMPD_THREAD_ID_WINTHREAD, 2);
VALUE(OMPD_THREAD_ID_CUDALOGICAL, 3);
VALUE(OMPD_THREAD_ID_LO, 1000000);
VALUE(OMPD_THREAD_ID_HI, 1100000);
VALUE(OMPD_DEVICE_KIND_HOST, 1);
VALUE(OMPD_DEVICE_KIND_CUDA, 2);
VALUE(OMPD_DEVICE_IMPL_LO, 1000000);
VALUE(OMPD_DEVICE_IMPL_HI, 1100000);
VALUE(OMPD_SEGMENT_UNSPECIFIED, 0);
VALUE(OMPD_SEGMENT_CUDA_PTX_UNSPECIFIED, 0);
VALUE(OMPD_SEGMENT_CUDA_PTX_CODE, 1);
VALUE(OMPD_SEGMENT_CUDA_PTX_REG, 2);
VALUE(OMPD_SEGMENT_CUDA_PTX_SREG, 3);
VALUE(OMPD_SEGMENT_CUDA_PTX_CONST, 4);
VALUE(OMPD_SEGMENT_CUDA_PTX_GLOBAL, 5);
VALUE(OMPD_SEGMENT_CUDA_PTX_LOCAL, 6);
VALUE(OMPD_SEGMENT_CUDA_PTX_PARAM, 7);
VALUE(OMPD_SEGMENT_CUDA_PTX_SHARED, 8);
VALUE(OMPD_SEGMENT_CUDA_PTX_SURF, 9);
VALUE(OMPD_SEGMENT_CUDA_PTX_TEX, 10);
VALUE(OMPD_SEGMENT_CUDA_PTX_TEXSAMPLER, 11);
VALUE(OMPD_SEGMENT_CUDA_PTX_GENERIC, 12);
VALUE(OMPD_SEGMENT_CUDA_PTX_IPARAM, 13);
VALUE(OMPD_SEGMENT_CUDA_PTX_OPARAM, 14);
VALUE(OMPD_SEGMENT_CUDA_PTX_FRAME, 15);
VALUE(ompd_segment_none, 0);
VALUE(ompd_icv_undefined, 0);
SAME(ompd_size_t, std::uint64_t);
SAME(ompd_wait_id_t, std::uint64_t);
SAME(ompd_addr_t, std::uint64_t);
SAME(ompd_word_t, std::int64_t);
SAME(ompd_seg_t, std::uint64_t);
SAME(ompd_device_t, std::uint64_t);
SAME(ompd_thread_id_t, std::uint64_t);
SAME(ompd_icv_id_t, std::uint64_t);

/* Structures of OMPD */
SIZE(ompd_rc_t, 4);
SIZE(ompd_scope_t, 4);
SIZE(ompd_address_t, 16);
OFFSET(ompd_address_t, segment, 0);
OFFSET(ompd_address_t, address, 8);
SIZE(ompd_frame_info_t, 24);
OFFSET(ompd_frame_info_t, frame_address, 0);
OFFSET(ompd_frame_info_t, frame_flag, 16);
SIZE(ompd_device_type_sizes_t, 6);
OFFSET(ompd_device_type_sizes_t, sizeof_char, 0);
OFFSET(ompd_device_type_sizes_t, sizeof_short, 1);
OFFSET(ompd_device_type_sizes_t, sizeof_int, 2);
OFFSET(ompd_device_type_sizes_t, sizeof_long, 3);
OFFSET(ompd_device_type_sizes_t, sizeof_long_long, 4);
OFFSET(ompd_device_type_sizes_t, sizeof_pointer, 5);
SIZE(ompd_dim3_t, 24);
SIZE(ompd_cudathread_coord_t, 128);
OFFSET(ompd_cudathread_coord_t, gridId, 24);
OFFSET(ompd_cudathread_coord_t, gridDim, 32);
OFFSET(ompd_cudathread_coord_t, threadIdx, 104);
SIZE(ompd_callbacks_t, 88);
OFFSET(ompd_callbacks_t, alloc_memory, 0);
SAME(decltype(ompd_callbacks_t::alloc_memory), ompd_callback_memory_alloc_fn_t);
OFFSET(ompd_callbacks_t, free_memory, 8);
SAME(decltype(ompd_callbacks_t::free_memory), ompd_callback_memory_free_fn_t);
OFFSET(ompd_callbacks_t, print_string, 16);
SAME(decltype(ompd_callbacks_t::print_string), ompd_callback_print_string_fn_t);
OFFSET(ompd_callbacks_t, sizeof_type, 24);
SAME(decltype(ompd_callbacks_t::sizeof_type), ompd_callback_sizeof_fn_t);
OFFSET(ompd_callbacks_t, symbol_addr_lookup, 32);
SAME(decltype(ompd_callbacks_t::symbol_addr_lookup), ompd_callback_symbol_addr_fn_t);
OFFSET(ompd_callbacks_t, read_memory, 40);
SAME(decltype(ompd_callbacks_t::read_memory), ompd_callback_memory_read_fn_t);
OFFSET(ompd_callbacks_t, write_memory, 48);
SAME(decltype(ompd_callbacks_t::write_memory), ompd_callback_memory_write_fn_t);
OFFSET(ompd_callbacks_t, read_string, 56);
SAME(decltype(ompd_callbacks_t::read_string), ompd_callback_memory_read_fn_t);
OFFSET(ompd_callbacks_t, device_to_host, 64);
SAME(decltype(ompd_callbacks_t::device_to_host), ompd_callback_device_host_fn_t);
OFFSET(ompd_callbacks_t, host_to_device, 72);
SAME(decltype(ompd_callbacks_t::host_to_device), ompd_callback_device_host_fn_t);
OFFSET(ompd_callbacks_t, get_thread_context_for_thread_id, 80);
SAME(decltype(ompd_callbacks_t::get_thread_context_for_thread_id),
     ompd_callback_get_thread_context_for_thread_id_fn_t);

/* Types of the callbacks of OMPD */
SAME(ompd_callback_memory_alloc_fn_t, ompd_rc_t (*)(ompd_size_t, void **));
SAME(ompd_callback_memory_free_fn_t, ompd_rc_t (*)(void *));
SAME(ompd_callback_print_string_fn_t, ompd_rc_t (*)(const char *, int));
SAME(ompd_callback_sizeof_fn_t, ompd_rc_t (*)(ompd_address_space_context_t *, ompd_device_type_sizes_t *));
SAME(ompd_callback_symbol_addr_fn_t, ompd_rc_t (*)(ompd_address_space_context_t *, ompd_thread_context_t *,
                                                   const char *, ompd_address_t *, const char *));
SAME(ompd_callback_memory_read_fn_t, ompd_rc_t (*)(ompd_address_space_context_t *, ompd_thread_context_t *,
                                                   const ompd_address_t *, ompd_size_t, void *));
SAME(ompd_callback_memory_write_fn_t, ompd_rc_t (*)(ompd_address_space_context_t *, ompd_thread_context_t *,
                                                    const ompd_address_t *, ompd_size_t, const void *));
SAME(ompd_callback_device_host_fn_t,
     ompd_rc_t (*)(ompd_address_space_context_t *, const void *, ompd_size_t, ompd_size_t, void *));
SAME(ompd_callback_get_thread_context_for_thread_id_fn_t,
     ompd_rc_t (*)(ompd_address_space_context_t *, ompd_thread_id_t, ompd_size_t, const void *,
                   ompd_thread_context_t **));

/* The 37 routines of OMPD */
ROUTINE(ompd_initialize, ompd_word_t, const ompd_callbacks_t *);
ROUTINE(ompd_get_api_version, ompd_word_t *);
ROUTINE(ompd_get_version_string, const char **);
ROUTINE(ompd_finalize, void);
ROUTINE(ompd_process_initialize, ompd_address_space_context_t *, ompd_address_space_handle_t **);
ROUTINE(ompd_device_initialize, ompd_address_space_handle_t *, ompd_address_space_context_t *, ompd_device_t,
        ompd_size_t, void *, ompd_address_space_handle_t **);
ROUTINE(ompd_rel_address_space_handle, ompd_address_space_handle_t *);
ROUTINE(ompd_get_device_thread_id_kinds, ompd_address_space_handle_t *, ompd_thread_id_t **, ompd_size_t **,
        int *);
ROUTINE(ompd_get_omp_version, ompd_address_space_handle_t *, ompd_word_t *);
ROUTINE(ompd_get_omp_version_string, ompd_address_space_handle_t *, const char **);
ROUTINE(ompd_get_thread_in_parallel, ompd_parallel_handle_t *, int, ompd_thread_handle_t **);
ROUTINE(ompd_get_thread_handle, ompd_address_space_handle_t *, ompd_thread_id_t, ompd_size_t, const void *,
        ompd_thread_handle_t **);
ROUTINE(ompd_rel_thread_handle, ompd_thread_handle_t *);
ROUTINE(ompd_thread_handle_compare, ompd_thread_handle_t *, ompd_thread_handle_t *, int *);
ROUTINE(ompd_get_thread_id, ompd_thread_handle_t *, ompd_thread_id_t, ompd_size_t, void *);
ROUTINE(ompd_get_device_from_thread, ompd_thread_handle_t *, ompd_address_space_handle_t **);
ROUTINE(ompd_get_curr_parallel_handle, ompd_thread_handle_t *, ompd_parallel_handle_t **);
ROUTINE(ompd_get_enclosing_parallel_handle, ompd_parallel_handle_t *, ompd_parallel_handle_t **);
ROUTINE(ompd_get_task_parallel_handle, ompd_task_handle_t *, ompd_parallel_handle_t **);
ROUTINE(ompd_rel_parallel_handle, ompd_parallel_handle_t *);
ROUTINE(ompd_parallel_handle_compare, ompd_parallel_handle_t *, ompd_parallel_handle_t *, int *);
ROUTINE(ompd_get_curr_task_handle, ompd_thread_handle_t *, ompd_task_handle_t **);
ROUTINE(ompd_get_generating_task_handle, ompd_task_handle_t *, ompd_task_handle_t **);
ROUTINE(ompd_get_scheduling_task_handle, ompd_task_handle_t *, ompd_task_handle_t **);
ROUTINE(ompd_get_task_in_parallel, ompd_parallel_handle_t *, int, ompd_task_handle_t **);
ROUTINE(ompd_rel_task_handle, ompd_task_handle_t *);
ROUTINE(ompd_task_handle_compare, ompd_task_handle_t *, ompd_task_handle_t *, int *);
ROUTINE(ompd_get_task_function, ompd_task_handle_t *, ompd_address_t *);
ROUTINE(ompd_get_task_frame, ompd_task_handle_t *, ompd_frame_info_t *, ompd_frame_info_t *);
ROUTINE(ompd_enumerate_states, ompd_address_space_handle_t *, ompd_word_t, ompd_word_t *, const char **,
        ompd_word_t *);
ROUTINE(ompd_get_state, ompd_thread_handle_t *, ompd_word_t *, ompd_wait_id_t *);
ROUTINE(ompd_get_display_control_vars, ompd_address_space_handle_t *, const char *const **);
ROUTINE(ompd_rel_display_control_vars, const char *const **);
ROUTINE(ompd_enumerate_icvs, ompd_address_space_handle_t *, ompd_icv_id_t, ompd_icv_id_t *, const char **,
        ompd_scope_t *, int *);
ROUTINE(ompd_get_icv_from_scope, void *, ompd_scope_t, ompd_icv_id_t, ompd_word_t *);
ROUTINE(ompd_get_icv_string_from_scope, void *, ompd_scope_t, ompd_icv_id_t, const char **);
ROUTINE(ompd_get_tool_data, void *, ompd_scope_t, ompd_word_t *, ompd_address_t *);

/* What the runtime exports */
SAME(decltype(ompd_dll_locations), const char **);
SAME(decltype(ompd_dll_locations_valid), void());
SAME(decltype(ompd_bp_thread_begin), void());
SAME(decltype(ompd_bp_thread_end), void());
SAME(decltype(ompd_bp_device_begin), void());
SAME(decltype(ompd_bp_device_end), void());
SAME(decltype(ompd_bp_parallel_begin), void());
SAME(decltype(ompd_bp_parallel_end), void());
SAME(decltype(ompd_bp_task_begin), void());
SAME(decltype(ompd_bp_task_end), void());
SAME(decltype(ompd_bp_teams_begin), void());
SAME(decltype(ompd_bp_teams_end), void());
SAME(decltype(ompd_bp_target_begin), void());
SAME(decltype(ompd_bp_target_end), void());

/* ompt_callbacks_t */
VALUE(ompt_callback_thread_begin, 1);
VALUE(ompt_callback_thread_end, 2);
VALUE(ompt_callback_parallel_begin, 3);
VALUE(ompt_callback_parallel_end, 4);
VALUE(ompt_callback_task_create, 5);
VALUE(ompt_callback_task_schedule, 6);
VALUE(ompt_callback_implicit_task, 7);
VALUE(ompt_callback_target, 8);
VALUE(ompt_callback_target_data_op, 9);
VALUE(ompt_callback_target_submit, 10);
VALUE(ompt_callback_control_tool, 11);
VALUE(ompt_callback_device_initialize, 12);
VALUE(ompt_callback_device_finalize, 13);
VALUE(ompt_callback_device_load, 14);
VALUE(ompt_callback_device_unload, 15);
VALUE(ompt_callback_sync_region_wait, 16);
VALUE(ompt_callback_mutex_released, 17);
VALUE(ompt_callback_dependences, 18);
VALUE(ompt_callback_task_dependence, 19);
VALUE(ompt_callback_work, 20);
VALUE(ompt_callback_masked, 21);
VALUE(ompt_callback_target_map, 22);
VALUE(ompt_callback_sync_region, 23);
VALUE(ompt_callback_lock_init, 24);
VALUE(ompt_callback_lock_destroy, 25);
VALUE(ompt_callback_mutex_acquire, 26);
VALUE(ompt_callback_mutex_acquired, 27);
VALUE(ompt_callback_nest_lock, 28);
VALUE(ompt_callback_flush, 29);
VALUE(ompt_callback_cancel, 30);
VALUE(ompt_callback_reduction, 31);
VALUE(ompt_callback_dispatch, 32);
VALUE(ompt_callback_target_emi, 33);
VALUE(ompt_callback_target_data_op_emi, 34);
VALUE(ompt_callback_target_submit_emi, 35);
VALUE(ompt_callback_target_map_emi, 36);
VALUE(ompt_callback_error, 37);
VALUE(ompt_callback_master, 21);

/* ompt_state_t */
VALUE(ompt_state_work_serial, 0x000);
VALUE(ompt_state_work_parallel, 0x001);
VALUE(ompt_state_work_reduction, 0x002);
VALUE(ompt_state_work_free_agent, 0x003);
VALUE(ompt_state_work_induction, 0x004);
VALUE(ompt_state_wait_barrier, 0x010);
VALUE(ompt_state_wait_barrier_implicit_parallel, 0x011);
VALUE(ompt_state_wait_barrier_implicit_workshare, 0x012);
VALUE(ompt_state_wait_barrier_implicit, 0x013);
VALUE(ompt_state_wait_barrier_explicit, 0x014);
VALUE(ompt_state_wait_barrier_implementation, 0x015);
VALUE(ompt_state_wait_barrier_teams, 0x016);
VALUE(ompt_state_wait_taskwait, 0x020);
VALUE(ompt_state_wait_taskgroup, 0x021);
VALUE(ompt_state_wait_mutex, 0x040);
VALUE(ompt_state_wait_lock, 0x041);
VALUE(ompt_state_wait_critical, 0x042);
VALUE(ompt_state_wait_atomic, 0x043);
VALUE(ompt_state_wait_ordered, 0x044);
VALUE(ompt_state_wait_target, 0x080);
VALUE(ompt_state_wait_target_map, 0x081);
VALUE(ompt_state_wait_target_update, 0x082);
VALUE(ompt_state_idle, 0x100);
VALUE(ompt_state_overhead, 0x101);
VALUE(ompt_state_undefined, 0x102);

/* ompt_set_result_t */
VALUE(ompt_set_error, 0);
VALUE(ompt_set_never, 1);
VALUE(ompt_set_impossible, 2);
VALUE(ompt_set_sometimes, 3);
VALUE(ompt_set_sometimes_paired, 4);
VALUE(ompt_set_always, 5);

/* ompt_thread_t */
VALUE(ompt_thread_initial, 1);
VALUE(ompt_thread_worker, 2);
VALUE(ompt_thread_other, 3);
VALUE(ompt_thread_unknown, 4);

/* ompt_scope_endpoint_t */
VALUE(ompt_scope_begin, 1);
VALUE(ompt_scope_end, 2);
VALUE(ompt_scope_beginend, 3);

/* ompt_mutex_t */
VALUE(ompt_mutex_lock, 1);
VALUE(ompt_mutex_test_lock, 2);
VALUE(ompt_mutex_nest_lock, 3);
VALUE(ompt_mutex_test_nest_lock, 4);
VALUE(ompt_mutex_critical, 5);
VALUE(ompt_mutex_atomic, 6);
VALUE(ompt_mutex_ordered, 7);

/* ompt_sync_region_t */
VALUE(ompt_sync_region_barrier, 1);
VALUE(ompt_sync_region_barrier_implicit, 2);
VALUE(ompt_sync_region_barrier_explicit, 3);
VALUE(ompt_sync_region_barrier_implementation, 4);
VALUE(ompt_sync_region_taskwait, 5);
VALUE(ompt_sync_region_taskgroup, 6);
VALUE(ompt_sync_region_reduction, 7);
VALUE(ompt_sync_region_barrier_implicit_workshare, 8);
VALUE(ompt_sync_region_barrier_implicit_parallel, 9);
VALUE(ompt_sync_region_barrier_teams, 10);

/* ompt_work_t */
VALUE(ompt_work_loop, 1);
VALUE(ompt_work_sections, 2);
VALUE(ompt_work_single_executor, 3);
VALUE(ompt_work_single_other, 4);
VALUE(ompt_work_workshare, 5);
VALUE(ompt_work_distribute, 6);
VALUE(ompt_work_taskloop, 7);
VALUE(ompt_work_scope, 8);
VALUE(ompt_work_workdistribute, 9);
VALUE(ompt_work_loop_static, 10);
VALUE(ompt_work_loop_dynamic, 11);
VALUE(ompt_work_loop_guided, 12);
VALUE(ompt_work_loop_other, 13);

/* ompt_dispatch_t */
VALUE(ompt_dispatch_iteration, 1);
VALUE(ompt_dispatch_section, 2);
VALUE(ompt_dispatch_ws_loop_chunk, 3);
VALUE(ompt_dispatch_taskloop_chunk, 4);
VALUE(ompt_dispatch_distribute_chunk, 5);

/* ompt_task_flag_t */
VALUE(ompt_task_initial, 0x00000001);
VALUE(ompt_task_implicit, 0x00000002);
VALUE(ompt_task_explicit, 0x00000004);
VALUE(ompt_task_target, 0x00000008);
VALUE(ompt_task_taskwait, 0x00000010);
VALUE(ompt_task_importing, 0x02000000);
VALUE(ompt_task_exporting, 0x04000000);
VALUE(ompt_task_undeferred, 0x08000000);
VALUE(ompt_task_untied, 0x10000000);
VALUE(ompt_task_final, 0x20000000);
VALUE(ompt_task_mergeable, 0x40000000);
VALUE(ompt_task_merged, 0x80000000);

/* ompt_task_status_t */
VALUE(ompt_task_complete, 1);
VALUE(ompt_task_yield, 2);
VALUE(ompt_task_cancel, 3);
VALUE(ompt_task_detach, 4);
VALUE(ompt_task_early_fulfill, 5);
VALUE(ompt_task_late_fulfill, 6);
VALUE(ompt_task_switch, 7);
VALUE(ompt_taskwait_complete, 8);

/* ompt_parallel_flag_t */
VALUE(ompt_parallel_invoker_program, 0x00000001);
VALUE(ompt_parallel_invoker_runtime, 0x00000002);
VALUE(ompt_parallel_league, 0x40000000);
VALUE(ompt_parallel_team, 0x80000000);

/* ompt_cancel_flag_t */
VALUE(ompt_cancel_parallel, 0x01);
VALUE(ompt_cancel_sections, 0x02);
VALUE(ompt_cancel_loop, 0x04);
VALUE(ompt_cancel_taskgroup, 0x08);
VALUE(ompt_cancel_activated, 0x10);
VALUE(ompt_cancel_detected, 0x20);
VALUE(ompt_cancel_discarded_task, 0x40);

/* ompt_dependence_type_t */
VALUE(ompt_dependence_type_in, 1);
VALUE(ompt_dependence_type_out, 2);
VALUE(ompt_dependence_type_inout, 3);
VALUE(ompt_dependence_type_mutexinoutset, 4);
VALUE(ompt_dependence_type_source, 5);
VALUE(ompt_dependence_type_sink, 6);
VALUE(ompt_dependence_type_inoutset, 7);
VALUE(ompt_dependence_type_out_all_memory, 34);
VALUE(ompt_dependence_type_inout_all_memory, 35);

/* ompt_frame_flag_t */
VALUE(ompt_frame_runtime, 0x00);
VALUE(ompt_frame_application, 0x01);
VALUE(ompt_frame_cfa, 0x10);
VALUE(ompt_frame_framepointer, 0x20);
VALUE(ompt_frame_stackaddress, 0x30);

/* ompt_severity_t */
VALUE(ompt_warning, 1);
VALUE(ompt_fatal, 2);

/* ompt_target_t */
VALUE(ompt_target, 1);
VALUE(ompt_target_enter_data, 2);
VALUE(ompt_target_exit_data, 3);
VALUE(ompt_target_update, 4);
VALUE(ompt_target_nowait, 9);
VALUE(ompt_target_enter_data_nowait, 10);
VALUE(ompt_target_exit_data_nowait, 11);
VALUE(ompt_target_update_nowait, 12);

/* ompt_target_data_op_t */
VALUE(ompt_target_data_alloc, 1);
VALUE(ompt_target_data_transfer_to_device, 2);
VALUE(ompt_target_data_transfer_from_device, 3);
VALUE(ompt_target_data_delete, 4);
VALUE(ompt_target_data_associate, 5);
VALUE(ompt_target_data_disassociate, 6);
VALUE(ompt_target_data_transfer, 7);
VALUE(ompt_target_data_memset, 8);
VALUE(ompt_target_data_transfer_rect, 9);
VALUE(ompt_target_data_alloc_async, 17);
VALUE(ompt_target_data_transfer_to_device_async, 18);
VALUE(ompt_target_data_transfer_from_device_async, 19);
VALUE(ompt_target_data_delete_async, 20);
VALUE(ompt_target_data_transfer_async, 23);
VALUE(ompt_target_data_memset_async, 24);
VALUE(ompt_target_data_transfer_rect_async, 25);

/* ompt_target_map_flag_t */
VALUE(ompt_target_map_flag_to, 0x01);
VALUE(ompt_target_map_flag_from, 0x02);
VALUE(ompt_target_map_flag_alloc, 0x04);
VALUE(ompt_target_map_flag_release, 0x08);
VALUE(ompt_target_map_flag_delete, 0x10);
VALUE(ompt_target_map_flag_implicit, 0x20);
VALUE(ompt_target_map_flag_always, 0x40);
VALUE(ompt_target_map_flag_present, 0x80);
VALUE(ompt_target_map_flag_close, 0x100);
VALUE(ompt_target_map_flag_shared, 0x200);

/* ompt_record_t */
VALUE(ompt_record_ompt, 1);
VALUE(ompt_record_native, 2);
VALUE(ompt_record_invalid, 3);

/* ompt_record_native_t */
VALUE(ompt_record_native_info, 1);
VALUE(ompt_record_native_event, 2);

/* ompt_native_mon_flag_t */
VALUE(ompt_native_data_motion_explicit, 0x01);
VALUE(ompt_native_data_motion_implicit, 0x02);
VALUE(ompt_native_kernel_invocation, 0x04);
VALUE(ompt_native_kernel_execution, 0x08);
VALUE(ompt_native_driver, 0x10);
VALUE(ompt_native_runtime, 0x20);
VALUE(ompt_native_overhead, 0x40);
VALUE(ompt_native_idleness, 0x80);

/* Types of the entry points and callbacks of OMPT */
SAME(ompt_enumerate_states_t, int (*)(int, int *, const char **));
SAME(ompt_enumerate_mutex_impls_t, int (*)(int, int *, const char **));
SAME(ompt_set_callback_t, ompt_set_result_t (*)(ompt_callbacks_t, ompt_callback_t));
SAME(ompt_get_callback_t, int (*)(ompt_callbacks_t, ompt_callback_t *));
SAME(ompt_get_thread_data_t, ompt_data_t *(*)());
SAME(ompt_get_num_procs_t, int (*)());
SAME(ompt_get_num_places_t, int (*)());
SAME(ompt_get_place_proc_ids_t, int (*)(int, int, int *));
SAME(ompt_get_place_num_t, int (*)());
SAME(ompt_get_partition_place_nums_t, int (*)(int, int *));
SAME(ompt_get_proc_id_t, int (*)());
SAME(ompt_get_state_t, int (*)(ompt_wait_id_t *));
SAME(ompt_get_parallel_info_t, int (*)(int, ompt_data_t **, int *));
SAME(ompt_get_task_info_t, int (*)(int, int *, ompt_data_t **, ompt_frame_t **, ompt_data_t **, int *));
SAME(ompt_get_task_memory_t, int (*)(void **, size_t *, int));
SAME(ompt_get_target_info_t, int (*)(uint64_t *, ompt_id_t *, ompt_id_t *));
SAME(ompt_get_num_devices_t, int (*)());
SAME(ompt_get_unique_id_t, uint64_t (*)());
SAME(ompt_finalize_tool_t, void (*)());
SAME(ompt_get_device_num_procs_t, int (*)(ompt_device_t *));
SAME(ompt_get_device_time_t, ompt_device_time_t (*)(ompt_device_t *));
SAME(ompt_translate_time_t, double (*)(ompt_device_t *, ompt_device_time_t));
SAME(ompt_set_trace_ompt_t, ompt_set_result_t (*)(ompt_device_t *, unsigned int, unsigned int));
SAME(ompt_set_trace_native_t, ompt_set_result_t (*)(ompt_device_t *, int, int));
SAME(ompt_get_buffer_limits_t, void (*)(ompt_device_t *, int *, size_t *));
SAME(ompt_start_trace_t,
     int (*)(ompt_device_t *, ompt_callback_buffer_request_t, ompt_callback_buffer_complete_t));
SAME(ompt_pause_trace_t, int (*)(ompt_device_t *, int));
SAME(ompt_flush_trace_t, int (*)(ompt_device_t *));
SAME(ompt_stop_trace_t, int (*)(ompt_device_t *));
SAME(ompt_advance_buffer_cursor_t,
     int (*)(ompt_device_t *, ompt_buffer_t *, size_t, ompt_buffer_cursor_t, ompt_buffer_cursor_t *));
SAME(ompt_get_record_type_t, ompt_record_t (*)(ompt_buffer_t *, ompt_buffer_cursor_t));
SAME(ompt_get_record_ompt_t, ompt_record_ompt_t *(*)(ompt_buffer_t *, ompt_buffer_cursor_t));
SAME(ompt_get_record_native_t, void *(*)(ompt_buffer_t *, ompt_buffer_cursor_t, ompt_id_t *));
SAME(ompt_get_record_abstract_t, ompt_record_abstract_t *(*)(void *));
SAME(ompt_initialize_t, int (*)(ompt_function_lookup_t, int, ompt_data_t *));
SAME(ompt_finalize_t, void (*)(ompt_data_t *));
SAME(ompt_function_lookup_t, ompt_interface_fn_t (*)(const char *));
SAME(ompt_interface_fn_t, void (*)());
SAME(ompt_callback_t, void (*)());
SAME(ompt_callback_thread_begin_t, void (*)(ompt_thread_t, ompt_data_t *));
SAME(ompt_callback_thread_end_t, void (*)(ompt_data_t *));
SAME(ompt_callback_parallel_begin_t,
     void (*)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned int, int, const void *));
SAME(ompt_callback_parallel_end_t, void (*)(ompt_data_t *, ompt_data_t *, int, const void *));
SAME(ompt_callback_masked_t, void (*)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, const void *));
SAME(ompt_callback_work_t,
     void (*)(ompt_work_t, ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, uint64_t, const void *));
SAME(ompt_callback_dispatch_t, void (*)(ompt_data_t *, ompt_data_t *, ompt_dispatch_t, ompt_data_t));
SAME(ompt_callback_task_create_t,
     void (*)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int, int, const void *));
SAME(ompt_callback_task_schedule_t, void (*)(ompt_data_t *, ompt_task_status_t, ompt_data_t *));
SAME(ompt_callback_implicit_task_t,
     void (*)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int));
SAME(ompt_callback_dependences_t, void (*)(ompt_data_t *, const ompt_dependence_t *, int));
SAME(ompt_callback_task_dependence_t, void (*)(ompt_data_t *, ompt_data_t *));
SAME(ompt_callback_sync_region_t,
     void (*)(ompt_sync_region_t, ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, const void *));
SAME(ompt_callback_mutex_acquire_t,
     void (*)(ompt_mutex_t, unsigned int, unsigned int, ompt_wait_id_t, const void *));
SAME(ompt_callback_mutex_t, void (*)(ompt_mutex_t, ompt_wait_id_t, const void *));
SAME(ompt_callback_nest_lock_t, void (*)(ompt_scope_endpoint_t, ompt_wait_id_t, const void *));
SAME(ompt_callback_flush_t, void (*)(ompt_data_t *, const void *));
SAME(ompt_callback_cancel_t, void (*)(ompt_data_t *, int, const void *));
SAME(ompt_callback_control_tool_t, int (*)(uint64_t, uint64_t, void *, const void *));
SAME(ompt_callback_error_t, void (*)(ompt_severity_t, const char *, size_t, const void *));
SAME(ompt_callback_device_initialize_t,
     void (*)(int, const char *, ompt_device_t *, ompt_function_lookup_t, const char *));
SAME(ompt_callback_device_finalize_t, void (*)(int));
SAME(ompt_callback_device_load_t,
     void (*)(int, const char *, int64_t, void *, size_t, void *, void *, uint64_t));
SAME(ompt_callback_device_unload_t, void (*)(int, uint64_t));
SAME(ompt_callback_target_t,
     void (*)(ompt_target_t, ompt_scope_endpoint_t, int, ompt_data_t *, ompt_id_t, const void *));
SAME(ompt_callback_target_data_op_t,
     void (*)(ompt_id_t, ompt_id_t, ompt_target_data_op_t, void *, int, void *, int, size_t, const void *));
SAME(ompt_callback_target_submit_t, void (*)(ompt_id_t, ompt_id_t, unsigned int));
SAME(ompt_callback_target_map_t,
     void (*)(ompt_id_t, unsigned int, void **, void **, size_t *, unsigned int *, const void *));
SAME(ompt_callback_target_emi_t, void (*)(ompt_target_t, ompt_scope_endpoint_t, int, ompt_data_t *,
                                          ompt_data_t *, ompt_data_t *, const void *));
SAME(ompt_callback_target_data_op_emi_t,
     void (*)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, ompt_id_t *, ompt_target_data_op_t, void *,
              int, void *, int, size_t, const void *));
SAME(ompt_callback_target_submit_emi_t,
     void (*)(ompt_scope_endpoint_t, ompt_data_t *, ompt_id_t *, unsigned int));
SAME(ompt_callback_target_map_emi_t,
     void (*)(ompt_data_t *, unsigned int, void **, void **, size_t *, unsigned int *, const void *));
SAME(ompt_callback_master_t, ompt_callback_masked_t);
SAME(ompt_callback_buffer_request_t, void (*)(int, ompt_buffer_t **, size_t *));
SAME(ompt_callback_buffer_complete_t, void (*)(int, ompt_buffer_t *, size_t, ompt_buffer_cursor_t, int));
SAME(decltype(&ompt_start_tool), ompt_start_tool_result_t *(*)(unsigned int, const char *));

/* Structures of OMPT */
SIZE(ompt_state_t, 4);
SIZE(ompt_callbacks_t, 4);
SIZE(ompt_task_flag_t, 4);
SIZE(ompt_parallel_flag_t, 4);
SIZE(ompt_data_t, 8);
SIZE(ompt_start_tool_result_t, 24);
OFFSET(ompt_start_tool_result_t, tool_data, 16);
SIZE(ompt_frame_t, 24);
OFFSET(ompt_frame_t, exit_frame, 0);
OFFSET(ompt_frame_t, enter_frame, 8);
OFFSET(ompt_frame_t, exit_frame_flags, 16);
OFFSET(ompt_frame_t, enter_frame_flags, 20);
SIZE(ompt_dependence_t, 16);
SIZE(ompt_dispatch_chunk_t, 16);
SIZE(ompt_subvolume_t, 48);
SIZE(ompt_record_abstract_t, 40);
SIZE(ompt_record_target_data_op_emi_t, 72);
SIZE(ompt_any_record_ompt_t, 72);
SIZE(ompt_record_ompt_t, 104);
OFFSET(ompt_record_ompt_t, time, 8);
OFFSET(ompt_record_ompt_t, record, 32);
SAME(ompt_record_master_t, ompt_record_masked_t);
SAME(ompt_record_target_t, ompt_record_target_emi_t);
SAME(ompt_record_target_data_op_t, ompt_record_target_data_op_emi_t);
SAME(ompt_record_target_map_t, ompt_record_target_map_emi_t);
SAME(ompt_record_target_kernel_t, ompt_record_target_submit_emi_t);
VALUE(ompt_id_none, 0);
VALUE(ompt_wait_id_none, 0);
VALUE(ompt_time_none, 0);
VALUE(ompt_hwid_none, 0);
VALUE(ompt_mutex_impl_none, 0);
VALUE(ompt_addr_none, ~UINT64_C(0));

/* omp_sched_t */
VALUE(omp_sched_static, 1);
VALUE(omp_sched_dynamic, 2);
VALUE(omp_sched_guided, 3);
VALUE(omp_sched_auto, 4);
VALUE(omp_sched_monotonic, 0x80000000u);

/* omp_proc_bind_t */
VALUE(omp_proc_bind_false, 0);
VALUE(omp_proc_bind_true, 1);
VALUE(omp_proc_bind_primary, 2);
VALUE(omp_proc_bind_master, 2);
VALUE(omp_proc_bind_close, 3);
VALUE(omp_proc_bind_spread, 4);

/* omp_sync_hint_t */
VALUE(omp_sync_hint_none, 0);
VALUE(omp_sync_hint_uncontended, 1);
VALUE(omp_sync_hint_contended, 2);
VALUE(omp_sync_hint_nonspeculative, 4);
VALUE(omp_sync_hint_speculative, 8);
VALUE(omp_lock_hint_none, 0);
VALUE(omp_lock_hint_uncontended, 1);
VALUE(omp_lock_hint_contended, 2);
VALUE(omp_lock_hint_nonspeculative, 4);
VALUE(omp_lock_hint_speculative, 8);
VALUE(kmp_lock_hint_hle, 0x10000);
VALUE(kmp_lock_hint_rtm, 0x20000);
VALUE(kmp_lock_hint_adaptive, 0x40000);

/* omp_pause_resource_t */
VALUE(omp_pause_resume, 0);
VALUE(omp_pause_soft, 1);
VALUE(omp_pause_hard, 2);
VALUE(omp_pause_stop_tool, 3);

/* omp_control_tool_t and its results */
VALUE(omp_control_tool_start, 1);
VALUE(omp_control_tool_pause, 2);
VALUE(omp_control_tool_flush, 3);
VALUE(omp_control_tool_end, 4);
VALUE(omp_control_tool_notool, -2);
VALUE(omp_control_tool_nocallback, -1);
VALUE(omp_control_tool_success, 0);
VALUE(omp_control_tool_ignored, 1);

/* omp_allocator_handle_t */
VALUE(omp_null_allocator, 0);
VALUE(omp_default_mem_alloc, 1);
VALUE(omp_large_cap_mem_alloc, 2);
VALUE(omp_const_mem_alloc, 3);
VALUE(omp_high_bw_mem_alloc, 4);
VALUE(omp_low_lat_mem_alloc, 5);
VALUE(omp_cgroup_mem_alloc, 6);
VALUE(omp_pteam_mem_alloc, 7);
VALUE(omp_thread_mem_alloc, 8);

/* omp_memspace_handle_t */
VALUE(omp_null_mem_space, 0);
VALUE(omp_default_mem_space, 0);
VALUE(omp_large_cap_mem_space, 1);
VALUE(omp_const_mem_space, 2);
VALUE(omp_high_bw_mem_space, 3);
VALUE(omp_low_lat_mem_space, 4);

/* omp_alloctrait_key_t */
VALUE(omp_atk_sync_hint, 1);
VALUE(omp_atk_alignment, 2);
VALUE(omp_atk_access, 3);
VALUE(omp_atk_pool_size, 4);
VALUE(omp_atk_fallback, 5);
VALUE(omp_atk_fb_data, 6);
VALUE(omp_atk_pinned, 7);
VALUE(omp_atk_partition, 8);
VALUE(omp_atk_pin_device, 9);
VALUE(omp_atk_preferred_device, 10);
VALUE(omp_atk_device_access, 11);
VALUE(omp_atk_target_access, 12);
VALUE(omp_atk_atomic_scope, 13);
VALUE(omp_atk_part_size, 14);
VALUE(omp_atk_partitioner, 15);
VALUE(omp_atk_partitioner_arg, 16);

/* omp_alloctrait_value_t */
VALUE(omp_atv_default, -1);
VALUE(omp_atv_false, 0);
VALUE(omp_atv_true, 1);
VALUE(omp_atv_contended, 3);
VALUE(omp_atv_uncontended, 4);
VALUE(omp_atv_serialized, 5);
VALUE(omp_atv_sequential, 5);
VALUE(omp_atv_private, 6);
VALUE(omp_atv_all, 7);
VALUE(omp_atv_device, 7);
VALUE(omp_atv_thread, 8);
VALUE(omp_atv_pteam, 9);
VALUE(omp_atv_cgroup, 10);
VALUE(omp_atv_default_mem_fb, 11);
VALUE(omp_atv_null_fb, 12);
VALUE(omp_atv_abort_fb, 13);
VALUE(omp_atv_allocator_fb, 14);
VALUE(omp_atv_environment, 15);
VALUE(omp_atv_nearest, 16);
VALUE(omp_atv_blocked, 17);
VALUE(omp_atv_interleaved, 18);
VALUE(omp_atv_single, 20);
VALUE(omp_atv_multiple, 21);
VALUE(omp_atv_memspace, 22);
VALUE(omp_atv_partitioner, 23);

/* omp_mempartitioner_lifetime_t */
VALUE(omp_static_mempartition, 1);
VALUE(omp_allocator_mempartition, 2);
VALUE(omp_dynamic_mempartition, 3);

/* omp_interop_* */
VALUE(omp_interop_none, 0);
VALUE(omp_ifr_cuda, 1);
VALUE(omp_ifr_cuda_driver, 2);
VALUE(omp_ifr_opencl, 3);
VALUE(omp_ifr_sycl, 4);
VALUE(omp_ifr_hip, 5);
VALUE(omp_ifr_level_zero, 6);
VALUE(omp_ifr_hsa, 7);
VALUE(omp_ifr_last, 7);
VALUE(omp_ipr_fr_id, -1);
VALUE(omp_ipr_fr_name, -2);
VALUE(omp_ipr_vendor, -3);
VALUE(omp_ipr_vendor_name, -4);
VALUE(omp_ipr_device_num, -5);
VALUE(omp_ipr_platform, -6);
VALUE(omp_ipr_device, -7);
VALUE(omp_ipr_device_context, -8);
VALUE(omp_ipr_targetsync, -9);
VALUE(omp_ipr_first, -9);
VALUE(omp_irc_no_value, 1);
VALUE(omp_irc_success, 0);
VALUE(omp_irc_empty, -1);
VALUE(omp_irc_out_of_range, -2);
VALUE(omp_irc_type_int, -3);
VALUE(omp_irc_type_ptr, -4);
VALUE(omp_irc_type_str, -5);
VALUE(omp_irc_other, -6);

/* omp_impex_t */
VALUE(omp_not_impex, 0);
VALUE(omp_import, 1);
VALUE(omp_export, 2);
VALUE(omp_impex, 3);

/* Devices */
VALUE(omp_initial_device, -1);
#ifdef __clang__
VALUE(omp_invalid_device, -2);
#else
VALUE(omp_invalid_device, -4);
#endif
static_assert(omp_unassigned_thread < -1, "omp_unassigned_thread");

/* Sizes of omp.h, the same in C and C++ */
SIZE(omp_sched_t, 4);
SIZE(omp_proc_bind_t, 4);
SIZE(omp_sync_hint_t, 4);
SIZE(omp_lock_hint_t, 4);
SIZE(omp_pause_resource_t, 4);
SIZE(omp_alloctrait_key_t, 4);
SIZE(omp_interop_property_t, 4);
SIZE(omp_interop_rc_t, 4);
SIZE(omp_interop_fr_t, 4);
SIZE(omp_allocator_handle_t, 8);
SIZE(omp_memspace_handle_t, 8);
SIZE(omp_event_handle_t, 8);
SIZE(omp_interop_t, 8);
SIZE(omp_alloctrait_t, 16);
SIZE(omp_intptr_t, 8);
SIZE(omp_uintptr_t, 8);
SIZE(omp_lock_t, 8);
SIZE(omp_nest_lock_t, 16);
SIZE(kmp_affinity_mask_t, 8);
#ifdef __clang__
SIZE(omp_depend_t, 8);
#else
SIZE(omp_depend_t, 16);
#endif
static_assert(alignof(omp_lock_t) == 8 && alignof(omp_nest_lock_t) == 8 && alignof(omp_depend_t) == 8,
              "alignment");
OFFSET(omp_alloctrait_t, key, 0);
OFFSET(omp_alloctrait_t, value, 8);

extern "C" size_t abi_c_sizes(size_t index);

/* The same header gives the same sizes to C: enumerations may well differ there. */
TEST(Abi, CSeesTheSameSizes)
{
    const size_t expected[] = {
        sizeof(omp_sched_t),           sizeof(omp_lock_t),
        sizeof(omp_nest_lock_t),       sizeof(omp_depend_t),
        sizeof(omp_event_handle_t),    sizeof(omp_allocator_handle_t),
        sizeof(omp_memspace_handle_t), sizeof(omp_interop_t),
        sizeof(omp_alloctrait_t),      sizeof(omp_alloctrait_value_t),
        sizeof(ompt_task_flag_t),      sizeof(ompt_parallel_flag_t),
        sizeof(ompt_frame_t),          sizeof(ompt_record_ompt_t),
        sizeof(ompd_callbacks_t),      sizeof(ompd_rc_t),
        sizeof(ompd_frame_info_t),     sizeof(ompd_device_type_sizes_t),
    };
    const size_t count = sizeof(expected) / sizeof(expected[0]);
    for (size_t i = 0; i < count; i++)
        EXPECT_EQ(expected[i], abi_c_sizes(i)) << "entry " << i;
    EXPECT_EQ(0u, abi_c_sizes(count));
}

/* A lock may sit between other data; nothing in the type may move it. */
TEST(Abi, LocksPackAsWords)
{
    struct {
        char before;
        omp_lock_t lock;
        omp_nest_lock_t nest;
        char after;
    } s;
    EXPECT_EQ(8u, reinterpret_cast<char *>(&s.lock) - reinterpret_cast<char *>(&s));
    EXPECT_EQ(16u, reinterpret_cast<char *>(&s.nest) - reinterpret_cast<char *>(&s));
    EXPECT_EQ(40u, sizeof(s));
}

TEST(Abi, DataWordIsOneWord)
{
    ompt_data_t data = ompt_data_none;
    EXPECT_EQ(0u, data.value);
    data.ptr = &data;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&data), data.value);
}
