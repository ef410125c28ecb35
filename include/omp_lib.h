! SPDX-License-Identifier: Apache-2.0
!
! omp_lib.h: for programs that include it in place of using the module,
! in fixed and in free form, gfortran and flang. What each routine does
! stands in omp.h.
!
! No preprocessor sees an include file. flang has reals of two bytes and
! gfortran has none: that tells them apart, for the kind of simple locks.
! Were it wrong, a lock would be larger than needed. omp_depend_kind is
! gfortran's, the larger one. Not here: routines that give text back, and
! calls with arguments of eight bytes; they need the module.

      integer omp_lock_kind, omp_nest_lock_kind, omp_depend_kind
      parameter (omp_lock_kind=4+4*(4/selected_real_kind(2,2)-1))
      parameter (omp_nest_lock_kind=8)
      parameter (omp_depend_kind=16)
      integer openmp_version
      parameter (openmp_version=201511)
      integer omp_initial_device, omp_unassigned_thread
      parameter (omp_initial_device=-1)
      parameter (omp_unassigned_thread=-2)

      integer omp_integer_kind
      parameter (omp_integer_kind=4)

      integer omp_logical_kind
      parameter (omp_logical_kind=4)

      integer omp_sched_kind
      parameter (omp_sched_kind=4)
      integer(omp_sched_kind) omp_sched_static
      parameter (omp_sched_static=1)
      integer(omp_sched_kind) omp_sched_dynamic
      parameter (omp_sched_dynamic=2)
      integer(omp_sched_kind) omp_sched_guided
      parameter (omp_sched_guided=3)
      integer(omp_sched_kind) omp_sched_auto
      parameter (omp_sched_auto=4)
      integer(omp_sched_kind) omp_sched_monotonic
      parameter (omp_sched_monotonic=-2147483647-1)

      integer omp_proc_bind_kind
      parameter (omp_proc_bind_kind=4)
      integer(omp_proc_bind_kind) omp_proc_bind_false
      parameter (omp_proc_bind_false=0)
      integer(omp_proc_bind_kind) omp_proc_bind_true
      parameter (omp_proc_bind_true=1)
      integer(omp_proc_bind_kind) omp_proc_bind_primary
      parameter (omp_proc_bind_primary=2)
      integer(omp_proc_bind_kind) omp_proc_bind_master
      parameter (omp_proc_bind_master=omp_proc_bind_primary)
      integer(omp_proc_bind_kind) omp_proc_bind_close
      parameter (omp_proc_bind_close=3)
      integer(omp_proc_bind_kind) omp_proc_bind_spread
      parameter (omp_proc_bind_spread=4)

      integer omp_sync_hint_kind
      parameter (omp_sync_hint_kind=4)

      integer omp_lock_hint_kind
      parameter (omp_lock_hint_kind=omp_sync_hint_kind)
      integer(omp_sync_hint_kind) omp_sync_hint_none
      parameter (omp_sync_hint_none=0)
      integer(omp_sync_hint_kind) omp_sync_hint_uncontended
      parameter (omp_sync_hint_uncontended=1)
      integer(omp_sync_hint_kind) omp_sync_hint_contended
      parameter (omp_sync_hint_contended=2)
      integer(omp_sync_hint_kind) omp_sync_hint_nonspeculative
      parameter (omp_sync_hint_nonspeculative=4)
      integer(omp_sync_hint_kind) omp_sync_hint_speculative
      parameter (omp_sync_hint_speculative=8)
      integer(omp_lock_hint_kind) omp_lock_hint_none
      parameter (omp_lock_hint_none=omp_sync_hint_none)
      integer(omp_lock_hint_kind) omp_lock_hint_uncontended
      parameter (omp_lock_hint_uncontended=omp_sync_hint_uncontended)
      integer(omp_lock_hint_kind) omp_lock_hint_contended
      parameter (omp_lock_hint_contended=omp_sync_hint_contended)
      integer(omp_lock_hint_kind) omp_lock_hint_nonspeculative
      parameter (omp_lock_hint_nonspeculative=                          &
     & omp_sync_hint_nonspeculative)
      integer(omp_lock_hint_kind) omp_lock_hint_speculative
      parameter (omp_lock_hint_speculative=omp_sync_hint_speculative)

      integer omp_impex_kind
      parameter (omp_impex_kind=4)
      integer(omp_impex_kind) omp_not_impex
      parameter (omp_not_impex=0)
      integer(omp_impex_kind) omp_import
      parameter (omp_import=1)
      integer(omp_impex_kind) omp_export
      parameter (omp_export=2)
      integer(omp_impex_kind) omp_impex
      parameter (omp_impex=3)

      integer omp_event_handle_kind
      parameter (omp_event_handle_kind=8)

      integer omp_pause_resource_kind
      parameter (omp_pause_resource_kind=4)
      integer(omp_pause_resource_kind) omp_pause_soft
      parameter (omp_pause_soft=1)
      integer(omp_pause_resource_kind) omp_pause_hard
      parameter (omp_pause_hard=2)
      integer(omp_pause_resource_kind) omp_pause_stop_tool
      parameter (omp_pause_stop_tool=3)

      integer omp_control_tool_kind
      parameter (omp_control_tool_kind=4)

      integer omp_control_tool_arg_kind
      parameter (omp_control_tool_arg_kind=8)
      integer(omp_control_tool_kind) omp_control_tool_start
      parameter (omp_control_tool_start=1)
      integer(omp_control_tool_kind) omp_control_tool_pause
      parameter (omp_control_tool_pause=2)
      integer(omp_control_tool_kind) omp_control_tool_flush
      parameter (omp_control_tool_flush=3)
      integer(omp_control_tool_kind) omp_control_tool_end
      parameter (omp_control_tool_end=4)

      integer omp_control_tool_result_kind
      parameter (omp_control_tool_result_kind=4)
      integer(omp_control_tool_result_kind) omp_control_tool_notool
      parameter (omp_control_tool_notool=-2)
      integer(omp_control_tool_result_kind) omp_control_tool_nocallback
      parameter (omp_control_tool_nocallback=-1)
      integer(omp_control_tool_result_kind) omp_control_tool_success
      parameter (omp_control_tool_success=0)
      integer(omp_control_tool_result_kind) omp_control_tool_ignored
      parameter (omp_control_tool_ignored=1)

      integer omp_interop_kind
      parameter (omp_interop_kind=8)
      integer(omp_interop_kind) omp_interop_none
      parameter (omp_interop_none=0)

      integer omp_interop_fr_kind
      parameter (omp_interop_fr_kind=4)
      integer(omp_interop_fr_kind) omp_ifr_cuda
      parameter (omp_ifr_cuda=1)
      integer(omp_interop_fr_kind) omp_ifr_cuda_driver
      parameter (omp_ifr_cuda_driver=2)
      integer(omp_interop_fr_kind) omp_ifr_opencl
      parameter (omp_ifr_opencl=3)
      integer(omp_interop_fr_kind) omp_ifr_sycl
      parameter (omp_ifr_sycl=4)
      integer(omp_interop_fr_kind) omp_ifr_hip
      parameter (omp_ifr_hip=5)
      integer(omp_interop_fr_kind) omp_ifr_level_zero
      parameter (omp_ifr_level_zero=6)
      integer(omp_interop_fr_kind) omp_ifr_hsa
      parameter (omp_ifr_hsa=7)
      integer(omp_interop_fr_kind) omp_ifr_last
      parameter (omp_ifr_last=omp_ifr_hsa)

      integer omp_interop_property_kind
      parameter (omp_interop_property_kind=4)
      integer(omp_interop_property_kind) omp_ipr_fr_id
      parameter (omp_ipr_fr_id=-1)
      integer(omp_interop_property_kind) omp_ipr_fr_name
      parameter (omp_ipr_fr_name=-2)
      integer(omp_interop_property_kind) omp_ipr_vendor
      parameter (omp_ipr_vendor=-3)
      integer(omp_interop_property_kind) omp_ipr_vendor_name
      parameter (omp_ipr_vendor_name=-4)
      integer(omp_interop_property_kind) omp_ipr_device_num
      parameter (omp_ipr_device_num=-5)
      integer(omp_interop_property_kind) omp_ipr_platform
      parameter (omp_ipr_platform=-6)
      integer(omp_interop_property_kind) omp_ipr_device
      parameter (omp_ipr_device=-7)
      integer(omp_interop_property_kind) omp_ipr_device_context
      parameter (omp_ipr_device_context=-8)
      integer(omp_interop_property_kind) omp_ipr_targetsync
      parameter (omp_ipr_targetsync=-9)
      integer(omp_interop_property_kind) omp_ipr_first
      parameter (omp_ipr_first=omp_ipr_targetsync)

      integer omp_interop_rc_kind
      parameter (omp_interop_rc_kind=4)
      integer(omp_interop_rc_kind) omp_irc_no_value
      parameter (omp_irc_no_value=1)
      integer(omp_interop_rc_kind) omp_irc_success
      parameter (omp_irc_success=0)
      integer(omp_interop_rc_kind) omp_irc_empty
      parameter (omp_irc_empty=-1)
      integer(omp_interop_rc_kind) omp_irc_out_of_range
      parameter (omp_irc_out_of_range=-2)
      integer(omp_interop_rc_kind) omp_irc_type_int
      parameter (omp_irc_type_int=-3)
      integer(omp_interop_rc_kind) omp_irc_type_ptr
      parameter (omp_irc_type_ptr=-4)
      integer(omp_interop_rc_kind) omp_irc_type_str
      parameter (omp_irc_type_str=-5)
      integer(omp_interop_rc_kind) omp_irc_other
      parameter (omp_irc_other=-6)

      integer omp_allocator_handle_kind
      parameter (omp_allocator_handle_kind=8)
      integer(omp_allocator_handle_kind) omp_null_allocator
      parameter (omp_null_allocator=0)
      integer(omp_allocator_handle_kind) omp_default_mem_alloc
      parameter (omp_default_mem_alloc=1)
      integer(omp_allocator_handle_kind) omp_large_cap_mem_alloc
      parameter (omp_large_cap_mem_alloc=2)
      integer(omp_allocator_handle_kind) omp_const_mem_alloc
      parameter (omp_const_mem_alloc=3)
      integer(omp_allocator_handle_kind) omp_high_bw_mem_alloc
      parameter (omp_high_bw_mem_alloc=4)
      integer(omp_allocator_handle_kind) omp_low_lat_mem_alloc
      parameter (omp_low_lat_mem_alloc=5)
      integer(omp_allocator_handle_kind) omp_cgroup_mem_alloc
      parameter (omp_cgroup_mem_alloc=6)
      integer(omp_allocator_handle_kind) omp_pteam_mem_alloc
      parameter (omp_pteam_mem_alloc=7)
      integer(omp_allocator_handle_kind) omp_thread_mem_alloc
      parameter (omp_thread_mem_alloc=8)

      integer omp_memspace_handle_kind
      parameter (omp_memspace_handle_kind=8)
      integer(omp_memspace_handle_kind) omp_default_mem_space
      parameter (omp_default_mem_space=0)
      integer(omp_memspace_handle_kind) omp_null_mem_space
      parameter (omp_null_mem_space=0)
      integer(omp_memspace_handle_kind) omp_large_cap_mem_space
      parameter (omp_large_cap_mem_space=1)
      integer(omp_memspace_handle_kind) omp_const_mem_space
      parameter (omp_const_mem_space=2)
      integer(omp_memspace_handle_kind) omp_high_bw_mem_space
      parameter (omp_high_bw_mem_space=3)
      integer(omp_memspace_handle_kind) omp_low_lat_mem_space
      parameter (omp_low_lat_mem_space=4)

      integer omp_alloctrait_key_kind
      parameter (omp_alloctrait_key_kind=4)
      integer(omp_alloctrait_key_kind) omp_atk_sync_hint
      parameter (omp_atk_sync_hint=1)
      integer(omp_alloctrait_key_kind) omp_atk_alignment
      parameter (omp_atk_alignment=2)
      integer(omp_alloctrait_key_kind) omp_atk_access
      parameter (omp_atk_access=3)
      integer(omp_alloctrait_key_kind) omp_atk_pool_size
      parameter (omp_atk_pool_size=4)
      integer(omp_alloctrait_key_kind) omp_atk_fallback
      parameter (omp_atk_fallback=5)
      integer(omp_alloctrait_key_kind) omp_atk_fb_data
      parameter (omp_atk_fb_data=6)
      integer(omp_alloctrait_key_kind) omp_atk_pinned
      parameter (omp_atk_pinned=7)
      integer(omp_alloctrait_key_kind) omp_atk_partition
      parameter (omp_atk_partition=8)
      integer(omp_alloctrait_key_kind) omp_atk_pin_device
      parameter (omp_atk_pin_device=9)
      integer(omp_alloctrait_key_kind) omp_atk_preferred_device
      parameter (omp_atk_preferred_device=10)
      integer(omp_alloctrait_key_kind) omp_atk_device_access
      parameter (omp_atk_device_access=11)
      integer(omp_alloctrait_key_kind) omp_atk_target_access
      parameter (omp_atk_target_access=12)
      integer(omp_alloctrait_key_kind) omp_atk_atomic_scope
      parameter (omp_atk_atomic_scope=13)
      integer(omp_alloctrait_key_kind) omp_atk_part_size
      parameter (omp_atk_part_size=14)
      integer(omp_alloctrait_key_kind) omp_atk_partitioner
      parameter (omp_atk_partitioner=15)
      integer(omp_alloctrait_key_kind) omp_atk_partitioner_arg
      parameter (omp_atk_partitioner_arg=16)

      integer omp_alloctrait_val_kind
      parameter (omp_alloctrait_val_kind=8)
      integer(omp_alloctrait_val_kind) omp_atv_default
      parameter (omp_atv_default=-1)
      integer(omp_alloctrait_val_kind) omp_atv_false
      parameter (omp_atv_false=0)
      integer(omp_alloctrait_val_kind) omp_atv_true
      parameter (omp_atv_true=1)
      integer(omp_alloctrait_val_kind) omp_atv_contended
      parameter (omp_atv_contended=3)
      integer(omp_alloctrait_val_kind) omp_atv_uncontended
      parameter (omp_atv_uncontended=4)
      integer(omp_alloctrait_val_kind) omp_atv_serialized
      parameter (omp_atv_serialized=5)
      integer(omp_alloctrait_val_kind) omp_atv_sequential
      parameter (omp_atv_sequential=omp_atv_serialized)
      integer(omp_alloctrait_val_kind) omp_atv_private
      parameter (omp_atv_private=6)
      integer(omp_alloctrait_val_kind) omp_atv_all
      parameter (omp_atv_all=7)
      integer(omp_alloctrait_val_kind) omp_atv_device
      parameter (omp_atv_device=7)
      integer(omp_alloctrait_val_kind) omp_atv_thread
      parameter (omp_atv_thread=8)
      integer(omp_alloctrait_val_kind) omp_atv_pteam
      parameter (omp_atv_pteam=9)
      integer(omp_alloctrait_val_kind) omp_atv_cgroup
      parameter (omp_atv_cgroup=10)
      integer(omp_alloctrait_val_kind) omp_atv_default_mem_fb
      parameter (omp_atv_default_mem_fb=11)
      integer(omp_alloctrait_val_kind) omp_atv_null_fb
      parameter (omp_atv_null_fb=12)
      integer(omp_alloctrait_val_kind) omp_atv_abort_fb
      parameter (omp_atv_abort_fb=13)
      integer(omp_alloctrait_val_kind) omp_atv_allocator_fb
      parameter (omp_atv_allocator_fb=14)
      integer(omp_alloctrait_val_kind) omp_atv_environment
      parameter (omp_atv_environment=15)
      integer(omp_alloctrait_val_kind) omp_atv_nearest
      parameter (omp_atv_nearest=16)
      integer(omp_alloctrait_val_kind) omp_atv_blocked
      parameter (omp_atv_blocked=17)
      integer(omp_alloctrait_val_kind) omp_atv_interleaved
      parameter (omp_atv_interleaved=18)
      integer(omp_alloctrait_val_kind) omp_atv_single
      parameter (omp_atv_single=20)
      integer(omp_alloctrait_val_kind) omp_atv_multiple
      parameter (omp_atv_multiple=21)
      integer(omp_alloctrait_val_kind) omp_atv_memspace
      parameter (omp_atv_memspace=22)
      integer(omp_alloctrait_val_kind) omp_atv_partitioner
      parameter (omp_atv_partitioner=23)

      integer kmp_pointer_kind
      parameter (kmp_pointer_kind=8)

      integer kmp_size_t_kind
      parameter (kmp_size_t_kind=8)

      integer kmp_affinity_mask_kind
      parameter (kmp_affinity_mask_kind=8)

      integer kmp_cancel_kind
      parameter (kmp_cancel_kind=4)
      integer(kmp_cancel_kind) kmp_cancel_parallel
      parameter (kmp_cancel_parallel=1)
      integer(kmp_cancel_kind) kmp_cancel_loop
      parameter (kmp_cancel_loop=2)
      integer(kmp_cancel_kind) kmp_cancel_sections
      parameter (kmp_cancel_sections=3)
      integer(kmp_cancel_kind) kmp_cancel_taskgroup
      parameter (kmp_cancel_taskgroup=4)

      type omp_alloctrait
        sequence
        integer(omp_alloctrait_key_kind) key
        integer(omp_alloctrait_val_kind) value
      end type omp_alloctrait

      external omp_set_num_threads
      external omp_set_dynamic
      external omp_set_nested
      external omp_set_max_active_levels
      external omp_set_num_teams
      external omp_set_teams_thread_limit
      external omp_get_ancestor_thread_num
      integer(4) omp_get_ancestor_thread_num
      external omp_get_team_size
      integer(4) omp_get_team_size
      external omp_set_schedule
      external omp_get_schedule
      external omp_get_num_threads
      integer(4) omp_get_num_threads
      external omp_get_max_threads
      integer(4) omp_get_max_threads
      external omp_get_thread_num
      integer(4) omp_get_thread_num
      external omp_get_thread_limit
      integer(4) omp_get_thread_limit
      external omp_get_num_procs
      integer(4) omp_get_num_procs
      external omp_get_max_active_levels
      integer(4) omp_get_max_active_levels
      external omp_get_supported_active_levels
      integer(4) omp_get_supported_active_levels
      external omp_get_level
      integer(4) omp_get_level
      external omp_get_active_level
      integer(4) omp_get_active_level
      external omp_get_num_teams
      integer(4) omp_get_num_teams
      external omp_get_team_num
      integer(4) omp_get_team_num
      external omp_get_max_teams
      integer(4) omp_get_max_teams
      external omp_get_teams_thread_limit
      integer(4) omp_get_teams_thread_limit
      external omp_get_max_task_priority
      integer(4) omp_get_max_task_priority
      external omp_in_parallel
      logical(4) omp_in_parallel
      external omp_get_dynamic
      logical(4) omp_get_dynamic
      external omp_get_nested
      logical(4) omp_get_nested
      external omp_in_final
      logical(4) omp_in_final
      external omp_in_explicit_task
      logical(4) omp_in_explicit_task
      external omp_get_cancellation
      logical(4) omp_get_cancellation
      external omp_is_free_agent
      logical(4) omp_is_free_agent
      external omp_ancestor_is_free_agent
      logical(4) omp_ancestor_is_free_agent
      external omp_get_partition_place_nums
      external omp_get_proc_bind
      integer(omp_proc_bind_kind) omp_get_proc_bind
      external omp_get_num_places
      integer(4) omp_get_num_places
      external omp_get_place_num
      integer(4) omp_get_place_num
      external omp_get_partition_num_places
      integer(4) omp_get_partition_num_places
      external omp_set_affinity_format
      external omp_get_affinity_format
      integer(4) omp_get_affinity_format
      external omp_display_affinity
      external omp_capture_affinity
      integer(4) omp_capture_affinity
      external omp_init_lock
      external omp_destroy_lock
      external omp_set_lock
      external omp_unset_lock
      external omp_init_lock_with_hint
      external omp_test_lock
      logical(4) omp_test_lock
      external omp_init_nest_lock
      external omp_destroy_nest_lock
      external omp_set_nest_lock
      external omp_unset_nest_lock
      external omp_init_nest_lock_with_hint
      external omp_test_nest_lock
      integer(4) omp_test_nest_lock
      external omp_display_env
      external omp_get_wtime
      real(8) omp_get_wtime
      external omp_get_wtick
      real(8) omp_get_wtick
      external omp_set_default_device
      external omp_get_default_device
      integer(4) omp_get_default_device
      external omp_get_num_devices
      integer(4) omp_get_num_devices
      external omp_get_device_num
      integer(4) omp_get_device_num
      external omp_get_initial_device
      integer(4) omp_get_initial_device
      external omp_is_initial_device
      logical(4) omp_is_initial_device
      external omp_get_device_from_uid
      integer(4) omp_get_device_from_uid
      external omp_get_device_num_teams
      integer(4) omp_get_device_num_teams
      external omp_get_device_teams_thread_limit
      integer(4) omp_get_device_teams_thread_limit
      external omp_get_max_progress_width
      integer(4) omp_get_max_progress_width
      external omp_set_device_num_teams
      external omp_set_device_teams_thread_limit
      external omp_init_allocator
      integer(omp_allocator_handle_kind) omp_init_allocator
      external omp_get_default_allocator
      integer(omp_allocator_handle_kind) omp_get_default_allocator
      external omp_get_devices_memspace
      integer(omp_memspace_handle_kind) omp_get_devices_memspace
      external omp_get_device_memspace
      integer(omp_memspace_handle_kind) omp_get_device_memspace
      external omp_get_devices_and_host_memspace
      integer(8) omp_get_devices_and_host_memspace
      external omp_get_device_and_host_memspace
      integer(omp_memspace_handle_kind) omp_get_device_and_host_memspace
      external omp_get_devices_all_memspace
      integer(omp_memspace_handle_kind) omp_get_devices_all_memspace
      external omp_get_devices_allocator
      integer(omp_allocator_handle_kind) omp_get_devices_allocator
      external omp_get_device_allocator
      integer(omp_allocator_handle_kind) omp_get_device_allocator
      external omp_get_devices_and_host_allocator
      integer(8) omp_get_devices_and_host_allocator
      external omp_get_device_and_host_allocator
      integer(8) omp_get_device_and_host_allocator
      external omp_get_devices_all_allocator
      integer(omp_allocator_handle_kind) omp_get_devices_all_allocator
      external omp_get_memspace_num_resources
      integer(4) omp_get_memspace_num_resources
      external omp_get_memspace_pagesize
      integer(8) omp_get_memspace_pagesize
      external omp_get_submemspace
      integer(omp_memspace_handle_kind) omp_get_submemspace
      external kmp_get_blocktime
      integer(4) kmp_get_blocktime
      external kmp_get_stacksize
      integer(4) kmp_get_stacksize
      external kmp_get_library
      integer(4) kmp_get_library
      external kmp_get_affinity_max_proc
      integer(4) kmp_get_affinity_max_proc
      external kmp_get_num_known_threads
      integer(4) kmp_get_num_known_threads
      external kmp_get_stacksize_s
      integer(kmp_size_t_kind) kmp_get_stacksize_s
      external kmp_set_blocktime
      external kmp_set_stacksize
      external kmp_set_library
      external kmp_set_disp_num_buffers
      external kmp_set_stacksize_s
      external kmp_set_library_serial
      external kmp_set_library_turnaround
      external kmp_set_library_throughput
      external kmp_set_warnings_on
      external kmp_set_warnings_off
      external kmp_set_defaults
      external kmp_get_cancellation_status
      logical(4) kmp_get_cancellation_status
      external kmp_create_affinity_mask
      external kmp_destroy_affinity_mask
      external kmp_set_affinity
      integer(4) kmp_set_affinity
      external kmp_get_affinity
      integer(4) kmp_get_affinity
      external kmp_set_affinity_mask_proc
      integer(4) kmp_set_affinity_mask_proc
      external kmp_unset_affinity_mask_proc
      integer(4) kmp_unset_affinity_mask_proc
      external kmp_get_affinity_mask_proc
      integer(4) kmp_get_affinity_mask_proc

! Arguments by value, and C's names but for the first.
      interface
        subroutine omp_fulfill_event(event)
          import :: omp_event_handle_kind
          integer(omp_event_handle_kind), value :: event
        end subroutine omp_fulfill_event
        function omp_get_place_num_procs(place_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int
          integer(c_int) :: omp_get_place_num_procs
          integer(c_int), value :: place_num
        end function omp_get_place_num_procs
        subroutine omp_get_place_proc_ids(place_num, ids) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int
          integer(c_int), value :: place_num
          integer(c_int), intent(out) :: ids(*)
        end subroutine omp_get_place_proc_ids
        function omp_pause_resource(kind, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int
          import :: omp_pause_resource_kind
          integer(c_int) :: omp_pause_resource
          integer(omp_pause_resource_kind), value :: kind
          integer(c_int), value :: device_num
        end function omp_pause_resource
        function omp_pause_resource_all(kind) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int
          import :: omp_pause_resource_kind
          integer(c_int) :: omp_pause_resource_all
          integer(omp_pause_resource_kind), value :: kind
        end function omp_pause_resource_all
        function omp_control_tool(command, modifier, arg) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int
          import :: omp_control_tool_kind, omp_control_tool_arg_kind
          integer(c_int) :: omp_control_tool
          integer(omp_control_tool_kind), value :: command
          integer(c_int), value :: modifier
          integer(omp_control_tool_arg_kind), optional,                 &
     &      intent(inout) :: arg
        end function omp_control_tool
        function omp_get_num_interop_properties(interop) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int
          import :: omp_interop_kind
          integer(c_int) :: omp_get_num_interop_properties
          integer(omp_interop_kind), value :: interop
        end function omp_get_num_interop_properties
        function omp_get_interop_int(interop, property_id,              &
     &      ret_code) bind(c)
          use, intrinsic :: iso_c_binding, only: c_intptr_t
          import :: omp_interop_kind, omp_interop_property_kind,        &
     &      omp_interop_rc_kind
          integer(c_intptr_t) :: omp_get_interop_int
          integer(omp_interop_kind), value :: interop
          integer(omp_interop_property_kind), value :: property_id
          integer(omp_interop_rc_kind), optional,                       &
     &      intent(out) :: ret_code
        end function omp_get_interop_int
        function omp_get_interop_ptr(interop, property_id,              &
     &      ret_code) bind(c)
          use, intrinsic :: iso_c_binding, only: c_ptr
          import :: omp_interop_kind, omp_interop_property_kind,        &
     &      omp_interop_rc_kind
          type(c_ptr) :: omp_get_interop_ptr
          integer(omp_interop_kind), value :: interop
          integer(omp_interop_property_kind), value :: property_id
          integer(omp_interop_rc_kind), optional,                       &
     &      intent(out) :: ret_code
        end function omp_get_interop_ptr
        function omp_target_alloc(size, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          type(c_ptr) :: omp_target_alloc
          integer(c_size_t), value :: size
          integer(c_int), value :: device_num
        end function omp_target_alloc
        subroutine omp_target_free(device_ptr, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr
          type(c_ptr), value :: device_ptr
          integer(c_int), value :: device_num
        end subroutine omp_target_free
        function omp_target_is_present(ptr, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr
          integer(c_int) :: omp_target_is_present
          type(c_ptr), value :: ptr
          integer(c_int), value :: device_num
        end function omp_target_is_present
        function omp_target_is_accessible(ptr, size, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          integer(c_int) :: omp_target_is_accessible
          type(c_ptr), value :: ptr
          integer(c_size_t), value :: size
          integer(c_int), value :: device_num
        end function omp_target_is_accessible
        function omp_get_mapped_ptr(ptr, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr
          type(c_ptr) :: omp_get_mapped_ptr
          type(c_ptr), value :: ptr
          integer(c_int), value :: device_num
        end function omp_get_mapped_ptr
        function omp_target_memcpy(dst, src, length, dst_offset,        &
     &      src_offset, dst_device_num, src_device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          integer(c_int) :: omp_target_memcpy
          type(c_ptr), value :: dst
          type(c_ptr), value :: src
          integer(c_size_t), value :: length
          integer(c_size_t), value :: dst_offset
          integer(c_size_t), value :: src_offset
          integer(c_int), value :: dst_device_num
          integer(c_int), value :: src_device_num
        end function omp_target_memcpy
        function omp_target_memcpy_async(dst, src, length, dst_offset,  &
     &      src_offset, dst_device_num, src_device_num, depobj_count,   &
     &      depobj_list) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          import :: omp_depend_kind
          integer(c_int) :: omp_target_memcpy_async
          type(c_ptr), value :: dst
          type(c_ptr), value :: src
          integer(c_size_t), value :: length
          integer(c_size_t), value :: dst_offset
          integer(c_size_t), value :: src_offset
          integer(c_int), value :: dst_device_num
          integer(c_int), value :: src_device_num
          integer(c_int), value :: depobj_count
          integer(omp_depend_kind), optional,                           &
     &      intent(inout) :: depobj_list(*)
        end function omp_target_memcpy_async
        function omp_target_memcpy_rect(dst, src, element_size,         &
     &      num_dims, volume, dst_offsets, src_offsets,                 &
     &      dst_dimensions, src_dimensions, dst_device_num,             &
     &      src_device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          integer(c_int) :: omp_target_memcpy_rect
          type(c_ptr), value :: dst
          type(c_ptr), value :: src
          integer(c_size_t), value :: element_size
          integer(c_int), value :: num_dims
          integer(c_size_t), intent(in) :: volume(*)
          integer(c_size_t), intent(in) :: dst_offsets(*)
          integer(c_size_t), intent(in) :: src_offsets(*)
          integer(c_size_t), intent(in) :: dst_dimensions(*)
          integer(c_size_t), intent(in) :: src_dimensions(*)
          integer(c_int), value :: dst_device_num
          integer(c_int), value :: src_device_num
        end function omp_target_memcpy_rect
        function omp_target_memcpy_rect_async(dst, src, element_size,   &
     &      num_dims, volume, dst_offsets, src_offsets,                 &
     &      dst_dimensions, src_dimensions, dst_device_num,             &
     &      src_device_num, depobj_count, depobj_list) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          import :: omp_depend_kind
          integer(c_int) :: omp_target_memcpy_rect_async
          type(c_ptr), value :: dst
          type(c_ptr), value :: src
          integer(c_size_t), value :: element_size
          integer(c_int), value :: num_dims
          integer(c_size_t), intent(in) :: volume(*)
          integer(c_size_t), intent(in) :: dst_offsets(*)
          integer(c_size_t), intent(in) :: src_offsets(*)
          integer(c_size_t), intent(in) :: dst_dimensions(*)
          integer(c_size_t), intent(in) :: src_dimensions(*)
          integer(c_int), value :: dst_device_num
          integer(c_int), value :: src_device_num
          integer(c_int), value :: depobj_count
          integer(omp_depend_kind), optional,                           &
     &      intent(inout) :: depobj_list(*)
        end function omp_target_memcpy_rect_async
        function omp_target_memset(ptr, val, count, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          type(c_ptr) :: omp_target_memset
          type(c_ptr), value :: ptr
          integer(c_int), value :: val
          integer(c_size_t), value :: count
          integer(c_int), value :: device_num
        end function omp_target_memset
        function omp_target_memset_async(ptr, val, count, device_num,   &
     &      depobj_count, depobj_list) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          import :: omp_depend_kind
          type(c_ptr) :: omp_target_memset_async
          type(c_ptr), value :: ptr
          integer(c_int), value :: val
          integer(c_size_t), value :: count
          integer(c_int), value :: device_num
          integer(c_int), value :: depobj_count
          integer(omp_depend_kind), optional,                           &
     &      intent(inout) :: depobj_list(*)
        end function omp_target_memset_async
        function omp_target_associate_ptr(host_ptr, device_ptr, size,   &
     &      device_offset, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
          integer(c_int) :: omp_target_associate_ptr
          type(c_ptr), value :: host_ptr
          type(c_ptr), value :: device_ptr
          integer(c_size_t), value :: size
          integer(c_size_t), value :: device_offset
          integer(c_int), value :: device_num
        end function omp_target_associate_ptr
        function omp_target_disassociate_ptr(ptr, device_num) bind(c)
          use, intrinsic :: iso_c_binding, only: c_int, c_ptr
          integer(c_int) :: omp_target_disassociate_ptr
          type(c_ptr), value :: ptr
          integer(c_int), value :: device_num
        end function omp_target_disassociate_ptr
        subroutine omp_destroy_allocator(allocator) bind(c)
          import :: omp_allocator_handle_kind
          integer(omp_allocator_handle_kind), value :: allocator
        end subroutine omp_destroy_allocator
        subroutine omp_set_default_allocator(allocator) bind(c)
          import :: omp_allocator_handle_kind
          integer(omp_allocator_handle_kind), value :: allocator
        end subroutine omp_set_default_allocator
        function omp_alloc(size, allocator) bind(c)
          use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
          import :: omp_allocator_handle_kind
          type(c_ptr) :: omp_alloc
          integer(c_size_t), value :: size
          integer(omp_allocator_handle_kind), value :: allocator
        end function omp_alloc
        function omp_aligned_alloc(alignment, size, allocator) bind(c)
          use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
          import :: omp_allocator_handle_kind
          type(c_ptr) :: omp_aligned_alloc
          integer(c_size_t), value :: alignment
          integer(c_size_t), value :: size
          integer(omp_allocator_handle_kind), value :: allocator
        end function omp_aligned_alloc
        function omp_calloc(nmemb, size, allocator) bind(c)
          use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
          import :: omp_allocator_handle_kind
          type(c_ptr) :: omp_calloc
          integer(c_size_t), value :: nmemb
          integer(c_size_t), value :: size
          integer(omp_allocator_handle_kind), value :: allocator
        end function omp_calloc
        function omp_aligned_calloc(alignment, nmemb, size,             &
     &      allocator) bind(c)
          use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
          import :: omp_allocator_handle_kind
          type(c_ptr) :: omp_aligned_calloc
          integer(c_size_t), value :: alignment
          integer(c_size_t), value :: nmemb
          integer(c_size_t), value :: size
          integer(omp_allocator_handle_kind), value :: allocator
        end function omp_aligned_calloc
        function omp_realloc(ptr, size, allocator,                      &
     &      free_allocator) bind(c)
          use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
          import :: omp_allocator_handle_kind
          type(c_ptr) :: omp_realloc
          type(c_ptr), value :: ptr
          integer(c_size_t), value :: size
          integer(omp_allocator_handle_kind), value :: allocator
          integer(omp_allocator_handle_kind), value :: free_allocator
        end function omp_realloc
        subroutine omp_free(ptr, allocator) bind(c)
          use, intrinsic :: iso_c_binding, only: c_ptr
          import :: omp_allocator_handle_kind
          type(c_ptr), value :: ptr
          integer(omp_allocator_handle_kind), value :: allocator
        end subroutine omp_free
        function kmp_malloc(size) bind(c)
          import :: kmp_size_t_kind, kmp_pointer_kind
          integer(kmp_pointer_kind) :: kmp_malloc
          integer(kmp_size_t_kind), value :: size
        end function kmp_malloc
        function kmp_aligned_malloc(size, alignment) bind(c)
          import :: kmp_size_t_kind, kmp_pointer_kind
          integer(kmp_pointer_kind) :: kmp_aligned_malloc
          integer(kmp_size_t_kind), value :: size
          integer(kmp_size_t_kind), value :: alignment
        end function kmp_aligned_malloc
        function kmp_calloc(nelem, elsize) bind(c)
          import :: kmp_size_t_kind, kmp_pointer_kind
          integer(kmp_pointer_kind) :: kmp_calloc
          integer(kmp_size_t_kind), value :: nelem
          integer(kmp_size_t_kind), value :: elsize
        end function kmp_calloc
        function kmp_realloc(ptr, size) bind(c)
          import :: kmp_size_t_kind, kmp_pointer_kind
          integer(kmp_pointer_kind) :: kmp_realloc
          integer(kmp_pointer_kind), value :: ptr
          integer(kmp_size_t_kind), value :: size
        end function kmp_realloc
        subroutine kmp_free(ptr) bind(c)
          import :: kmp_pointer_kind
          integer(kmp_pointer_kind), value :: ptr
        end subroutine kmp_free
      end interface
