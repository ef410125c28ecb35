! SPDX-License-Identifier: Apache-2.0
!
! omp_lib and omp_lib_kinds: the routines of OpenMP 6.0 on the host, and those of 5.0 to 5.2 that 6.0
! dropped, for gfortran and flang. A module file is of one compiler: each compiles this by itself, and
! nothing is to be linked.
!
! Sizes follow the compiler, so that objects built with its own omp_lib and with this one run together.
! Scalars go by address to `omp_xxx_`; with arguments of 8 bytes a call goes to `omp_xxx_8_`, which libgomp
! and Companion have. BIND(C) routines are the C ones: those that the specification has so, and those whose
! Fortran names take values in libomp and addresses in libgomp. What each routine does stands in omp.h.

module omp_lib_kinds
    use, intrinsic :: iso_c_binding, only: c_int, c_intptr_t, c_size_t
    implicit none
    private :: c_int, c_intptr_t, c_size_t
    public

    integer, parameter :: omp_integer_kind = 4
    integer, parameter :: omp_logical_kind = 4

    ! gcc's and clang's runtimes differ in these.
#ifdef __GFORTRAN__
    integer, parameter :: omp_lock_kind = 4
    integer, parameter :: omp_nest_lock_kind = 8
    integer, parameter :: omp_depend_kind = 16
    integer, parameter :: omp_invalid_device = -4
#else
    integer, parameter :: omp_lock_kind = 8
    integer, parameter :: omp_nest_lock_kind = 8
    integer, parameter :: omp_depend_kind = 8
    integer, parameter :: omp_invalid_device = -2
#endif
    integer, parameter :: omp_initial_device = -1
    integer, parameter :: omp_unassigned_thread = -2

    integer, parameter :: omp_sched_kind = c_int
    integer(omp_sched_kind), parameter :: omp_sched_static = 1
    integer(omp_sched_kind), parameter :: omp_sched_dynamic = 2
    integer(omp_sched_kind), parameter :: omp_sched_guided = 3
    integer(omp_sched_kind), parameter :: omp_sched_auto = 4
    integer(omp_sched_kind), parameter :: omp_sched_monotonic = -2147483647 - 1

    integer, parameter :: omp_proc_bind_kind = c_int
    integer(omp_proc_bind_kind), parameter :: omp_proc_bind_false = 0
    integer(omp_proc_bind_kind), parameter :: omp_proc_bind_true = 1
    integer(omp_proc_bind_kind), parameter :: omp_proc_bind_primary = 2
    integer(omp_proc_bind_kind), parameter :: omp_proc_bind_master = omp_proc_bind_primary
    integer(omp_proc_bind_kind), parameter :: omp_proc_bind_close = 3
    integer(omp_proc_bind_kind), parameter :: omp_proc_bind_spread = 4

    integer, parameter :: omp_sync_hint_kind = c_int
    integer, parameter :: omp_lock_hint_kind = omp_sync_hint_kind
    integer(omp_sync_hint_kind), parameter :: omp_sync_hint_none = 0
    integer(omp_sync_hint_kind), parameter :: omp_sync_hint_uncontended = 1
    integer(omp_sync_hint_kind), parameter :: omp_sync_hint_contended = 2
    integer(omp_sync_hint_kind), parameter :: omp_sync_hint_nonspeculative = 4
    integer(omp_sync_hint_kind), parameter :: omp_sync_hint_speculative = 8
    integer(omp_lock_hint_kind), parameter :: omp_lock_hint_none = omp_sync_hint_none
    integer(omp_lock_hint_kind), parameter :: omp_lock_hint_uncontended = omp_sync_hint_uncontended
    integer(omp_lock_hint_kind), parameter :: omp_lock_hint_contended = omp_sync_hint_contended
    integer(omp_lock_hint_kind), parameter :: omp_lock_hint_nonspeculative = omp_sync_hint_nonspeculative
    integer(omp_lock_hint_kind), parameter :: omp_lock_hint_speculative = omp_sync_hint_speculative

    integer, parameter :: omp_impex_kind = c_int
    integer(omp_impex_kind), parameter :: omp_not_impex = 0
    integer(omp_impex_kind), parameter :: omp_import = 1
    integer(omp_impex_kind), parameter :: omp_export = 2
    integer(omp_impex_kind), parameter :: omp_impex = 3

    integer, parameter :: omp_event_handle_kind = c_intptr_t

    integer, parameter :: omp_pause_resource_kind = c_int
    integer(omp_pause_resource_kind), parameter :: omp_pause_soft = 1
    integer(omp_pause_resource_kind), parameter :: omp_pause_hard = 2
    integer(omp_pause_resource_kind), parameter :: omp_pause_stop_tool = 3

    integer, parameter :: omp_control_tool_kind = c_int
    integer, parameter :: omp_control_tool_arg_kind = c_intptr_t
    integer(omp_control_tool_kind), parameter :: omp_control_tool_start = 1
    integer(omp_control_tool_kind), parameter :: omp_control_tool_pause = 2
    integer(omp_control_tool_kind), parameter :: omp_control_tool_flush = 3
    integer(omp_control_tool_kind), parameter :: omp_control_tool_end = 4
    integer, parameter :: omp_control_tool_result_kind = c_int
    integer(omp_control_tool_result_kind), parameter :: omp_control_tool_notool = -2
    integer(omp_control_tool_result_kind), parameter :: omp_control_tool_nocallback = -1
    integer(omp_control_tool_result_kind), parameter :: omp_control_tool_success = 0
    integer(omp_control_tool_result_kind), parameter :: omp_control_tool_ignored = 1

    integer, parameter :: omp_interop_kind = c_intptr_t
    integer(omp_interop_kind), parameter :: omp_interop_none = 0
    integer, parameter :: omp_interop_fr_kind = c_int
    integer(omp_interop_fr_kind), parameter :: omp_ifr_cuda = 1
    integer(omp_interop_fr_kind), parameter :: omp_ifr_cuda_driver = 2
    integer(omp_interop_fr_kind), parameter :: omp_ifr_opencl = 3
    integer(omp_interop_fr_kind), parameter :: omp_ifr_sycl = 4
    integer(omp_interop_fr_kind), parameter :: omp_ifr_hip = 5
    integer(omp_interop_fr_kind), parameter :: omp_ifr_level_zero = 6
    integer(omp_interop_fr_kind), parameter :: omp_ifr_hsa = 7
    integer(omp_interop_fr_kind), parameter :: omp_ifr_last = omp_ifr_hsa
    integer, parameter :: omp_interop_property_kind = c_int
    integer(omp_interop_property_kind), parameter :: omp_ipr_fr_id = -1
    integer(omp_interop_property_kind), parameter :: omp_ipr_fr_name = -2
    integer(omp_interop_property_kind), parameter :: omp_ipr_vendor = -3
    integer(omp_interop_property_kind), parameter :: omp_ipr_vendor_name = -4
    integer(omp_interop_property_kind), parameter :: omp_ipr_device_num = -5
    integer(omp_interop_property_kind), parameter :: omp_ipr_platform = -6
    integer(omp_interop_property_kind), parameter :: omp_ipr_device = -7
    integer(omp_interop_property_kind), parameter :: omp_ipr_device_context = -8
    integer(omp_interop_property_kind), parameter :: omp_ipr_targetsync = -9
    integer(omp_interop_property_kind), parameter :: omp_ipr_first = omp_ipr_targetsync
    integer, parameter :: omp_interop_rc_kind = c_int
    integer(omp_interop_rc_kind), parameter :: omp_irc_no_value = 1
    integer(omp_interop_rc_kind), parameter :: omp_irc_success = 0
    integer(omp_interop_rc_kind), parameter :: omp_irc_empty = -1
    integer(omp_interop_rc_kind), parameter :: omp_irc_out_of_range = -2
    integer(omp_interop_rc_kind), parameter :: omp_irc_type_int = -3
    integer(omp_interop_rc_kind), parameter :: omp_irc_type_ptr = -4
    integer(omp_interop_rc_kind), parameter :: omp_irc_type_str = -5
    integer(omp_interop_rc_kind), parameter :: omp_irc_other = -6

    integer, parameter :: omp_allocator_handle_kind = c_intptr_t
    integer(omp_allocator_handle_kind), parameter :: omp_null_allocator = 0
    integer(omp_allocator_handle_kind), parameter :: omp_default_mem_alloc = 1
    integer(omp_allocator_handle_kind), parameter :: omp_large_cap_mem_alloc = 2
    integer(omp_allocator_handle_kind), parameter :: omp_const_mem_alloc = 3
    integer(omp_allocator_handle_kind), parameter :: omp_high_bw_mem_alloc = 4
    integer(omp_allocator_handle_kind), parameter :: omp_low_lat_mem_alloc = 5
    integer(omp_allocator_handle_kind), parameter :: omp_cgroup_mem_alloc = 6
    integer(omp_allocator_handle_kind), parameter :: omp_pteam_mem_alloc = 7
    integer(omp_allocator_handle_kind), parameter :: omp_thread_mem_alloc = 8
    integer, parameter :: omp_memspace_handle_kind = c_intptr_t
    integer(omp_memspace_handle_kind), parameter :: omp_default_mem_space = 0
    integer(omp_memspace_handle_kind), parameter :: omp_null_mem_space = 0
    integer(omp_memspace_handle_kind), parameter :: omp_large_cap_mem_space = 1
    integer(omp_memspace_handle_kind), parameter :: omp_const_mem_space = 2
    integer(omp_memspace_handle_kind), parameter :: omp_high_bw_mem_space = 3
    integer(omp_memspace_handle_kind), parameter :: omp_low_lat_mem_space = 4
    integer, parameter :: omp_alloctrait_key_kind = c_int
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_sync_hint = 1
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_alignment = 2
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_access = 3
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_pool_size = 4
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_fallback = 5
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_fb_data = 6
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_pinned = 7
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_partition = 8
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_pin_device = 9
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_preferred_device = 10
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_device_access = 11
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_target_access = 12
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_atomic_scope = 13
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_part_size = 14
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_partitioner = 15
    integer(omp_alloctrait_key_kind), parameter :: omp_atk_partitioner_arg = 16
    integer, parameter :: omp_alloctrait_val_kind = c_intptr_t
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_default = -1
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_false = 0
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_true = 1
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_contended = 3
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_uncontended = 4
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_serialized = 5
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_sequential = omp_atv_serialized
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_private = 6
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_all = 7
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_device = 7
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_thread = 8
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_pteam = 9
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_cgroup = 10
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_default_mem_fb = 11
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_null_fb = 12
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_abort_fb = 13
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_allocator_fb = 14
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_environment = 15
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_nearest = 16
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_blocked = 17
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_interleaved = 18
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_single = 20
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_multiple = 21
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_memspace = 22
    integer(omp_alloctrait_val_kind), parameter :: omp_atv_partitioner = 23

    type omp_alloctrait
        integer(omp_alloctrait_key_kind) :: key
        integer(omp_alloctrait_val_kind) :: value
    end type omp_alloctrait

    ! Of clang's own routines.
    integer, parameter :: kmp_pointer_kind = c_intptr_t
    integer, parameter :: kmp_size_t_kind = c_size_t
    integer, parameter :: kmp_affinity_mask_kind = c_intptr_t
    integer, parameter :: kmp_cancel_kind = c_int
    integer(kmp_cancel_kind), parameter :: kmp_cancel_parallel = 1
    integer(kmp_cancel_kind), parameter :: kmp_cancel_loop = 2
    integer(kmp_cancel_kind), parameter :: kmp_cancel_sections = 3
    integer(kmp_cancel_kind), parameter :: kmp_cancel_taskgroup = 4
end module omp_lib_kinds

module omp_lib
    use omp_lib_kinds
    implicit none
    public

    ! The version macro, which the compiler has only with OpenMP switched on.
#ifdef _OPENMP
    integer, parameter :: openmp_version = _OPENMP
#else
    integer, parameter :: openmp_version = 201511
#endif

    ! Threads and teams.
    interface omp_set_num_threads
        subroutine omp_set_num_threads(num_threads)
            integer(4), intent(in) :: num_threads
        end subroutine omp_set_num_threads
        subroutine omp_set_num_threads_8(num_threads)
            integer(8), intent(in) :: num_threads
        end subroutine omp_set_num_threads_8
    end interface omp_set_num_threads
    interface omp_set_dynamic
        subroutine omp_set_dynamic(dynamic_threads)
            logical(4), intent(in) :: dynamic_threads
        end subroutine omp_set_dynamic
        subroutine omp_set_dynamic_8(dynamic_threads)
            logical(8), intent(in) :: dynamic_threads
        end subroutine omp_set_dynamic_8
    end interface omp_set_dynamic
    interface omp_set_nested
        subroutine omp_set_nested(nested)
            logical(4), intent(in) :: nested
        end subroutine omp_set_nested
        subroutine omp_set_nested_8(nested)
            logical(8), intent(in) :: nested
        end subroutine omp_set_nested_8
    end interface omp_set_nested
    interface omp_set_max_active_levels
        subroutine omp_set_max_active_levels(max_levels)
            integer(4), intent(in) :: max_levels
        end subroutine omp_set_max_active_levels
        subroutine omp_set_max_active_levels_8(max_levels)
            integer(8), intent(in) :: max_levels
        end subroutine omp_set_max_active_levels_8
    end interface omp_set_max_active_levels
    interface omp_set_num_teams
        subroutine omp_set_num_teams(num_teams)
            integer(4), intent(in) :: num_teams
        end subroutine omp_set_num_teams
        subroutine omp_set_num_teams_8(num_teams)
            integer(8), intent(in) :: num_teams
        end subroutine omp_set_num_teams_8
    end interface omp_set_num_teams
    interface omp_set_teams_thread_limit
        subroutine omp_set_teams_thread_limit(thread_limit)
            integer(4), intent(in) :: thread_limit
        end subroutine omp_set_teams_thread_limit
        subroutine omp_set_teams_thread_limit_8(thread_limit)
            integer(8), intent(in) :: thread_limit
        end subroutine omp_set_teams_thread_limit_8
    end interface omp_set_teams_thread_limit
    interface omp_get_ancestor_thread_num
        function omp_get_ancestor_thread_num(level)
            integer(4) :: omp_get_ancestor_thread_num
            integer(4), intent(in) :: level
        end function omp_get_ancestor_thread_num
        function omp_get_ancestor_thread_num_8(level)
            integer(4) :: omp_get_ancestor_thread_num_8
            integer(8), intent(in) :: level
        end function omp_get_ancestor_thread_num_8
    end interface omp_get_ancestor_thread_num
    interface omp_get_team_size
        function omp_get_team_size(level)
            integer(4) :: omp_get_team_size
            integer(4), intent(in) :: level
        end function omp_get_team_size
        function omp_get_team_size_8(level)
            integer(4) :: omp_get_team_size_8
            integer(8), intent(in) :: level
        end function omp_get_team_size_8
    end interface omp_get_team_size
    interface omp_set_schedule
        subroutine omp_set_schedule(kind, chunk_size)
            import :: omp_sched_kind
            integer(omp_sched_kind), intent(in) :: kind
            integer(4), intent(in) :: chunk_size
        end subroutine omp_set_schedule
        subroutine omp_set_schedule_8(kind, chunk_size)
            import :: omp_sched_kind
            integer(omp_sched_kind), intent(in) :: kind
            integer(8), intent(in) :: chunk_size
        end subroutine omp_set_schedule_8
    end interface omp_set_schedule
    interface omp_get_schedule
        subroutine omp_get_schedule(kind, chunk_size)
            import :: omp_sched_kind
            integer(omp_sched_kind), intent(out) :: kind
            integer(4), intent(out) :: chunk_size
        end subroutine omp_get_schedule
        subroutine omp_get_schedule_8(kind, chunk_size)
            import :: omp_sched_kind
            integer(omp_sched_kind), intent(out) :: kind
            integer(8), intent(out) :: chunk_size
        end subroutine omp_get_schedule_8
    end interface omp_get_schedule
    interface
        function omp_get_num_threads()
            integer(4) :: omp_get_num_threads
        end function omp_get_num_threads
        function omp_get_max_threads()
            integer(4) :: omp_get_max_threads
        end function omp_get_max_threads
        function omp_get_thread_num()
            integer(4) :: omp_get_thread_num
        end function omp_get_thread_num
        function omp_get_thread_limit()
            integer(4) :: omp_get_thread_limit
        end function omp_get_thread_limit
        function omp_get_num_procs()
            integer(4) :: omp_get_num_procs
        end function omp_get_num_procs
        function omp_get_max_active_levels()
            integer(4) :: omp_get_max_active_levels
        end function omp_get_max_active_levels
        function omp_get_supported_active_levels()
            integer(4) :: omp_get_supported_active_levels
        end function omp_get_supported_active_levels
        function omp_get_level()
            integer(4) :: omp_get_level
        end function omp_get_level
        function omp_get_active_level()
            integer(4) :: omp_get_active_level
        end function omp_get_active_level
        function omp_get_num_teams()
            integer(4) :: omp_get_num_teams
        end function omp_get_num_teams
        function omp_get_team_num()
            integer(4) :: omp_get_team_num
        end function omp_get_team_num
        function omp_get_max_teams()
            integer(4) :: omp_get_max_teams
        end function omp_get_max_teams
        function omp_get_teams_thread_limit()
            integer(4) :: omp_get_teams_thread_limit
        end function omp_get_teams_thread_limit
        function omp_get_max_task_priority()
            integer(4) :: omp_get_max_task_priority
        end function omp_get_max_task_priority
        function omp_in_parallel()
            logical(4) :: omp_in_parallel
        end function omp_in_parallel
        function omp_get_dynamic()
            logical(4) :: omp_get_dynamic
        end function omp_get_dynamic
        function omp_get_nested()
            logical(4) :: omp_get_nested
        end function omp_get_nested
        function omp_in_final()
            logical(4) :: omp_in_final
        end function omp_in_final
        function omp_in_explicit_task()
            logical(4) :: omp_in_explicit_task
        end function omp_in_explicit_task
        function omp_get_cancellation()
            logical(4) :: omp_get_cancellation
        end function omp_get_cancellation
        function omp_is_free_agent()
            logical(4) :: omp_is_free_agent
        end function omp_is_free_agent
        function omp_ancestor_is_free_agent(level)
            logical(4) :: omp_ancestor_is_free_agent
            integer(4), intent(in) :: level
        end function omp_ancestor_is_free_agent
    end interface
    ! By value, as gcc's and clang's runtimes have it.
    interface
        subroutine omp_fulfill_event(event)
            import :: omp_event_handle_kind
            integer(omp_event_handle_kind), value :: event
        end subroutine omp_fulfill_event
    end interface

    ! Places and the affinity format.
    interface omp_get_place_num_procs
        function omp_get_place_num_procs(place_num) bind(c)
            use, intrinsic :: iso_c_binding, only: c_int
            integer(c_int) :: omp_get_place_num_procs
            integer(c_int), value :: place_num
        end function omp_get_place_num_procs
        function omp_get_place_num_procs_8(place_num)
            integer(4) :: omp_get_place_num_procs_8
            integer(8), intent(in) :: place_num
        end function omp_get_place_num_procs_8
    end interface omp_get_place_num_procs
    interface omp_get_place_proc_ids
        subroutine omp_get_place_proc_ids(place_num, ids) bind(c)
            use, intrinsic :: iso_c_binding, only: c_int
            integer(c_int), value :: place_num
            integer(c_int), intent(out) :: ids(*)
        end subroutine omp_get_place_proc_ids
        subroutine omp_get_place_proc_ids_8(place_num, ids)
            integer(8), intent(in) :: place_num
            integer(8), intent(out) :: ids(*)
        end subroutine omp_get_place_proc_ids_8
    end interface omp_get_place_proc_ids
    interface omp_get_partition_place_nums
        subroutine omp_get_partition_place_nums(place_nums)
            integer(4), intent(out) :: place_nums(*)
        end subroutine omp_get_partition_place_nums
        subroutine omp_get_partition_place_nums_8(place_nums)
            integer(8), intent(out) :: place_nums(*)
        end subroutine omp_get_partition_place_nums_8
    end interface omp_get_partition_place_nums
    interface
        function omp_get_proc_bind()
            import :: omp_proc_bind_kind
            integer(omp_proc_bind_kind) :: omp_get_proc_bind
        end function omp_get_proc_bind
        function omp_get_num_places()
            integer(4) :: omp_get_num_places
        end function omp_get_num_places
        function omp_get_place_num()
            integer(4) :: omp_get_place_num
        end function omp_get_place_num
        function omp_get_partition_num_places()
            integer(4) :: omp_get_partition_num_places
        end function omp_get_partition_num_places
        subroutine omp_set_affinity_format(format)
            character(*), intent(in) :: format
        end subroutine omp_set_affinity_format
        function omp_get_affinity_format(buffer)
            integer(4) :: omp_get_affinity_format
            character(*), intent(out) :: buffer
        end function omp_get_affinity_format
        subroutine omp_display_affinity(format)
            character(*), intent(in) :: format
        end subroutine omp_display_affinity
        function omp_capture_affinity(buffer, format)
            integer(4) :: omp_capture_affinity
            character(*), intent(out) :: buffer
            character(*), intent(in) :: format
        end function omp_capture_affinity
    end interface

    ! Locks.
    interface
        subroutine omp_init_lock(svar)
            import :: omp_lock_kind
            integer(omp_lock_kind), intent(out) :: svar
        end subroutine omp_init_lock
        subroutine omp_destroy_lock(svar)
            import :: omp_lock_kind
            integer(omp_lock_kind), intent(inout) :: svar
        end subroutine omp_destroy_lock
        subroutine omp_set_lock(svar)
            import :: omp_lock_kind
            integer(omp_lock_kind), intent(inout) :: svar
        end subroutine omp_set_lock
        subroutine omp_unset_lock(svar)
            import :: omp_lock_kind
            integer(omp_lock_kind), intent(inout) :: svar
        end subroutine omp_unset_lock
        subroutine omp_init_lock_with_hint(svar, hint)
            import :: omp_lock_kind, omp_sync_hint_kind
            integer(omp_lock_kind), intent(out) :: svar
            integer(omp_sync_hint_kind), intent(in) :: hint
        end subroutine omp_init_lock_with_hint
        function omp_test_lock(svar)
            import :: omp_lock_kind
            logical(4) :: omp_test_lock
            integer(omp_lock_kind), intent(inout) :: svar
        end function omp_test_lock
    end interface
    interface
        subroutine omp_init_nest_lock(nvar)
            import :: omp_nest_lock_kind
            integer(omp_nest_lock_kind), intent(out) :: nvar
        end subroutine omp_init_nest_lock
        subroutine omp_destroy_nest_lock(nvar)
            import :: omp_nest_lock_kind
            integer(omp_nest_lock_kind), intent(inout) :: nvar
        end subroutine omp_destroy_nest_lock
        subroutine omp_set_nest_lock(nvar)
            import :: omp_nest_lock_kind
            integer(omp_nest_lock_kind), intent(inout) :: nvar
        end subroutine omp_set_nest_lock
        subroutine omp_unset_nest_lock(nvar)
            import :: omp_nest_lock_kind
            integer(omp_nest_lock_kind), intent(inout) :: nvar
        end subroutine omp_unset_nest_lock
        subroutine omp_init_nest_lock_with_hint(nvar, hint)
            import :: omp_nest_lock_kind, omp_sync_hint_kind
            integer(omp_nest_lock_kind), intent(out) :: nvar
            integer(omp_sync_hint_kind), intent(in) :: hint
        end subroutine omp_init_nest_lock_with_hint
        function omp_test_nest_lock(nvar)
            import :: omp_nest_lock_kind
            integer(4) :: omp_test_nest_lock
            integer(omp_nest_lock_kind), intent(inout) :: nvar
        end function omp_test_nest_lock
    end interface

    ! Time, resources, environment, tools.
    interface omp_display_env
#ifdef __GFORTRAN__
        subroutine omp_display_env(verbose)
            logical(4), intent(in) :: verbose
        end subroutine omp_display_env
#else
        subroutine omp_display_env(verbose) bind(c)
            logical(4), value :: verbose
        end subroutine omp_display_env
#endif
        subroutine omp_display_env_8(verbose)
            logical(8), intent(in) :: verbose
        end subroutine omp_display_env_8
    end interface omp_display_env
    interface
        function omp_get_wtime()
            real(8) :: omp_get_wtime
        end function omp_get_wtime
        function omp_get_wtick()
            real(8) :: omp_get_wtick
        end function omp_get_wtick
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
            integer(omp_control_tool_arg_kind), optional, intent(inout) :: arg
        end function omp_control_tool
    end interface

    ! Devices.
    interface omp_set_default_device
        subroutine omp_set_default_device(device_num)
            integer(4), intent(in) :: device_num
        end subroutine omp_set_default_device
        subroutine omp_set_default_device_8(device_num)
            integer(8), intent(in) :: device_num
        end subroutine omp_set_default_device_8
    end interface omp_set_default_device
    interface
        function omp_get_default_device()
            integer(4) :: omp_get_default_device
        end function omp_get_default_device
        function omp_get_num_devices()
            integer(4) :: omp_get_num_devices
        end function omp_get_num_devices
        function omp_get_device_num()
            integer(4) :: omp_get_device_num
        end function omp_get_device_num
        function omp_get_initial_device()
            integer(4) :: omp_get_initial_device
        end function omp_get_initial_device
        function omp_is_initial_device()
            logical(4) :: omp_is_initial_device
        end function omp_is_initial_device
        function omp_get_device_from_uid(uid)
            integer(4) :: omp_get_device_from_uid
            character(*), intent(in) :: uid
        end function omp_get_device_from_uid
        function omp_get_device_num_teams(device_num)
            integer(4) :: omp_get_device_num_teams
            integer(4), intent(in) :: device_num
        end function omp_get_device_num_teams
        function omp_get_device_teams_thread_limit(device_num)
            integer(4) :: omp_get_device_teams_thread_limit
            integer(4), intent(in) :: device_num
        end function omp_get_device_teams_thread_limit
        function omp_get_max_progress_width(device_num)
            integer(4) :: omp_get_max_progress_width
            integer(4), intent(in) :: device_num
        end function omp_get_max_progress_width
        subroutine omp_set_device_num_teams(num_teams, device_num)
            integer(4), intent(in) :: num_teams
            integer(4), intent(in) :: device_num
        end subroutine omp_set_device_num_teams
        subroutine omp_set_device_teams_thread_limit(thread_limit, device_num)
            integer(4), intent(in) :: thread_limit
            integer(4), intent(in) :: device_num
        end subroutine omp_set_device_teams_thread_limit
    end interface
    ! flang returns a CHARACTER(:), POINTER through a descriptor, which no runtime fills.
#ifdef __GFORTRAN__
    interface omp_get_uid_from_device
        function omp_get_uid_from_device(device_num)
            character(:), pointer :: omp_get_uid_from_device
            integer(4), intent(in) :: device_num
        end function omp_get_uid_from_device
        function omp_get_uid_from_device_8(device_num)
            character(:), pointer :: omp_get_uid_from_device_8
            integer(8), intent(in) :: device_num
        end function omp_get_uid_from_device_8
    end interface omp_get_uid_from_device
    interface
        function omp_get_interop_str(interop, property_id, ret_code)
            import :: omp_interop_kind, omp_interop_property_kind, omp_interop_rc_kind
            character(:), pointer :: omp_get_interop_str
            integer(omp_interop_kind), intent(in) :: interop
            integer(omp_interop_property_kind), intent(in) :: property_id
            integer(omp_interop_rc_kind), optional, intent(out) :: ret_code
        end function omp_get_interop_str
        function omp_get_interop_name(interop, property_id)
            import :: omp_interop_kind, omp_interop_property_kind
            character(:), pointer :: omp_get_interop_name
            integer(omp_interop_kind), intent(in) :: interop
            integer(omp_interop_property_kind), intent(in) :: property_id
        end function omp_get_interop_name
        function omp_get_interop_type_desc(interop, property_id)
            import :: omp_interop_kind, omp_interop_property_kind
            character(:), pointer :: omp_get_interop_type_desc
            integer(omp_interop_kind), intent(in) :: interop
            integer(omp_interop_property_kind), intent(in) :: property_id
        end function omp_get_interop_type_desc
        function omp_get_interop_rc_desc(interop, ret_code)
            import :: omp_interop_kind, omp_interop_rc_kind
            character(:), pointer :: omp_get_interop_rc_desc
            integer(omp_interop_kind), intent(in) :: interop
            integer(omp_interop_rc_kind), intent(in) :: ret_code
        end function omp_get_interop_rc_desc
    end interface
#endif
    interface
        function omp_get_num_interop_properties(interop) bind(c)
            use, intrinsic :: iso_c_binding, only: c_int
            import :: omp_interop_kind
            integer(c_int) :: omp_get_num_interop_properties
            integer(omp_interop_kind), value :: interop
        end function omp_get_num_interop_properties
        function omp_get_interop_int(interop, property_id, ret_code) bind(c)
            use, intrinsic :: iso_c_binding, only: c_intptr_t
            import :: omp_interop_kind, omp_interop_property_kind, omp_interop_rc_kind
            integer(c_intptr_t) :: omp_get_interop_int
            integer(omp_interop_kind), value :: interop
            integer(omp_interop_property_kind), value :: property_id
            integer(omp_interop_rc_kind), optional, intent(out) :: ret_code
        end function omp_get_interop_int
        function omp_get_interop_ptr(interop, property_id, ret_code) bind(c)
            use, intrinsic :: iso_c_binding, only: c_ptr
            import :: omp_interop_kind, omp_interop_property_kind, omp_interop_rc_kind
            type(c_ptr) :: omp_get_interop_ptr
            integer(omp_interop_kind), value :: interop
            integer(omp_interop_property_kind), value :: property_id
            integer(omp_interop_rc_kind), optional, intent(out) :: ret_code
        end function omp_get_interop_ptr
    end interface

    ! Memory of devices. Of depobj_list no element is changed.
    interface
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
        function omp_target_memcpy(dst, src, length, dst_offset, src_offset, dst_device_num, &
                src_device_num) bind(c)
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
        function omp_target_memcpy_async(dst, src, length, dst_offset, src_offset, &
                dst_device_num, src_device_num, depobj_count, depobj_list) bind(c)
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
            integer(omp_depend_kind), optional, intent(inout) :: depobj_list(*)
        end function omp_target_memcpy_async
        function omp_target_memcpy_rect(dst, src, element_size, num_dims, volume, dst_offsets, &
                src_offsets, dst_dimensions, src_dimensions, dst_device_num, src_device_num) bind(c)
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
        function omp_target_memcpy_rect_async(dst, src, element_size, num_dims, volume, &
                dst_offsets, src_offsets, dst_dimensions, src_dimensions, dst_device_num, src_device_num, &
                depobj_count, depobj_list) bind(c)
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
            integer(omp_depend_kind), optional, intent(inout) :: depobj_list(*)
        end function omp_target_memcpy_rect_async
        function omp_target_memset(ptr, val, count, device_num) bind(c)
            use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
            type(c_ptr) :: omp_target_memset
            type(c_ptr), value :: ptr
            integer(c_int), value :: val
            integer(c_size_t), value :: count
            integer(c_int), value :: device_num
        end function omp_target_memset
        function omp_target_memset_async(ptr, val, count, device_num, depobj_count, &
                depobj_list) bind(c)
            use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
            import :: omp_depend_kind
            type(c_ptr) :: omp_target_memset_async
            type(c_ptr), value :: ptr
            integer(c_int), value :: val
            integer(c_size_t), value :: count
            integer(c_int), value :: device_num
            integer(c_int), value :: depobj_count
            integer(omp_depend_kind), optional, intent(inout) :: depobj_list(*)
        end function omp_target_memset_async
        function omp_target_associate_ptr(host_ptr, device_ptr, size, device_offset, &
                device_num) bind(c)
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
    end interface

    ! Allocators and memory.
    interface omp_init_allocator
        function omp_init_allocator(memspace, ntraits, traits)
            import :: omp_allocator_handle_kind, omp_memspace_handle_kind, omp_alloctrait
            integer(omp_allocator_handle_kind) :: omp_init_allocator
            integer(omp_memspace_handle_kind), intent(in) :: memspace
            integer(4), intent(in) :: ntraits
            type(omp_alloctrait), intent(in) :: traits(*)
        end function omp_init_allocator
        function omp_init_allocator_8(memspace, ntraits, traits)
            import :: omp_allocator_handle_kind, omp_memspace_handle_kind, omp_alloctrait
            integer(omp_allocator_handle_kind) :: omp_init_allocator_8
            integer(omp_memspace_handle_kind), intent(in) :: memspace
            integer(8), intent(in) :: ntraits
            type(omp_alloctrait), intent(in) :: traits(*)
        end function omp_init_allocator_8
    end interface omp_init_allocator
    interface
        subroutine omp_destroy_allocator(allocator) bind(c)
            import :: omp_allocator_handle_kind
            integer(omp_allocator_handle_kind), value :: allocator
        end subroutine omp_destroy_allocator
        subroutine omp_set_default_allocator(allocator) bind(c)
            import :: omp_allocator_handle_kind
            integer(omp_allocator_handle_kind), value :: allocator
        end subroutine omp_set_default_allocator
        function omp_get_default_allocator()
            import :: omp_allocator_handle_kind
            integer(omp_allocator_handle_kind) :: omp_get_default_allocator
        end function omp_get_default_allocator
    end interface
    interface
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
        function omp_aligned_calloc(alignment, nmemb, size, allocator) bind(c)
            use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
            import :: omp_allocator_handle_kind
            type(c_ptr) :: omp_aligned_calloc
            integer(c_size_t), value :: alignment
            integer(c_size_t), value :: nmemb
            integer(c_size_t), value :: size
            integer(omp_allocator_handle_kind), value :: allocator
        end function omp_aligned_calloc
        function omp_realloc(ptr, size, allocator, free_allocator) bind(c)
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
    end interface
    interface
        function omp_get_devices_memspace(ndevs, devs, memspace)
            import :: omp_memspace_handle_kind
            integer(omp_memspace_handle_kind) :: omp_get_devices_memspace
            integer(4), intent(in) :: ndevs
            integer(4), intent(in) :: devs(*)
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_devices_memspace
        function omp_get_device_memspace(dev, memspace)
            import :: omp_memspace_handle_kind
            integer(omp_memspace_handle_kind) :: omp_get_device_memspace
            integer(4), intent(in) :: dev
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_device_memspace
        function omp_get_devices_and_host_memspace(ndevs, devs, memspace)
            import :: omp_memspace_handle_kind
            integer(omp_memspace_handle_kind) :: omp_get_devices_and_host_memspace
            integer(4), intent(in) :: ndevs
            integer(4), intent(in) :: devs(*)
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_devices_and_host_memspace
        function omp_get_device_and_host_memspace(dev, memspace)
            import :: omp_memspace_handle_kind
            integer(omp_memspace_handle_kind) :: omp_get_device_and_host_memspace
            integer(4), intent(in) :: dev
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_device_and_host_memspace
        function omp_get_devices_all_memspace(memspace)
            import :: omp_memspace_handle_kind
            integer(omp_memspace_handle_kind) :: omp_get_devices_all_memspace
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_devices_all_memspace
        function omp_get_devices_allocator(ndevs, devs, memspace)
            import :: omp_allocator_handle_kind, omp_memspace_handle_kind
            integer(omp_allocator_handle_kind) :: omp_get_devices_allocator
            integer(4), intent(in) :: ndevs
            integer(4), intent(in) :: devs(*)
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_devices_allocator
        function omp_get_device_allocator(dev, memspace)
            import :: omp_allocator_handle_kind, omp_memspace_handle_kind
            integer(omp_allocator_handle_kind) :: omp_get_device_allocator
            integer(4), intent(in) :: dev
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_device_allocator
        function omp_get_devices_and_host_allocator(ndevs, devs, memspace)
            import :: omp_allocator_handle_kind, omp_memspace_handle_kind
            integer(omp_allocator_handle_kind) :: omp_get_devices_and_host_allocator
            integer(4), intent(in) :: ndevs
            integer(4), intent(in) :: devs(*)
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_devices_and_host_allocator
        function omp_get_device_and_host_allocator(dev, memspace)
            import :: omp_allocator_handle_kind, omp_memspace_handle_kind
            integer(omp_allocator_handle_kind) :: omp_get_device_and_host_allocator
            integer(4), intent(in) :: dev
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_device_and_host_allocator
        function omp_get_devices_all_allocator(memspace)
            import :: omp_allocator_handle_kind, omp_memspace_handle_kind
            integer(omp_allocator_handle_kind) :: omp_get_devices_all_allocator
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_devices_all_allocator
        function omp_get_memspace_num_resources(memspace)
            import :: omp_memspace_handle_kind
            integer(4) :: omp_get_memspace_num_resources
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_memspace_num_resources
        function omp_get_memspace_pagesize(memspace)
            use, intrinsic :: iso_c_binding, only: c_size_t
            import :: omp_memspace_handle_kind
            integer(c_size_t) :: omp_get_memspace_pagesize
            integer(omp_memspace_handle_kind), intent(in) :: memspace
        end function omp_get_memspace_pagesize
        function omp_get_submemspace(memspace, num_resources, resources)
            import :: omp_memspace_handle_kind
            integer(omp_memspace_handle_kind) :: omp_get_submemspace
            integer(omp_memspace_handle_kind), intent(in) :: memspace
            integer(4), intent(in) :: num_resources
            integer(4), intent(in) :: resources(*)
        end function omp_get_submemspace
    end interface

    ! Routines that clang's runtime has besides, for programs that call them.
    interface
        function kmp_get_blocktime()
            integer(4) :: kmp_get_blocktime
        end function kmp_get_blocktime
        function kmp_get_stacksize()
            integer(4) :: kmp_get_stacksize
        end function kmp_get_stacksize
        function kmp_get_library()
            integer(4) :: kmp_get_library
        end function kmp_get_library
        function kmp_get_affinity_max_proc()
            integer(4) :: kmp_get_affinity_max_proc
        end function kmp_get_affinity_max_proc
        function kmp_get_num_known_threads()
            integer(4) :: kmp_get_num_known_threads
        end function kmp_get_num_known_threads
        function kmp_get_stacksize_s()
            import :: kmp_size_t_kind
            integer(kmp_size_t_kind) :: kmp_get_stacksize_s
        end function kmp_get_stacksize_s
        subroutine kmp_set_blocktime(msec)
            integer(4), intent(in) :: msec
        end subroutine kmp_set_blocktime
        subroutine kmp_set_stacksize(size)
            integer(4), intent(in) :: size
        end subroutine kmp_set_stacksize
        subroutine kmp_set_library(mode)
            integer(4), intent(in) :: mode
        end subroutine kmp_set_library
        subroutine kmp_set_disp_num_buffers(num)
            integer(4), intent(in) :: num
        end subroutine kmp_set_disp_num_buffers
        subroutine kmp_set_stacksize_s(size)
            import :: kmp_size_t_kind
            integer(kmp_size_t_kind), intent(in) :: size
        end subroutine kmp_set_stacksize_s
        subroutine kmp_set_library_serial()
        end subroutine kmp_set_library_serial
        subroutine kmp_set_library_turnaround()
        end subroutine kmp_set_library_turnaround
        subroutine kmp_set_library_throughput()
        end subroutine kmp_set_library_throughput
        subroutine kmp_set_warnings_on()
        end subroutine kmp_set_warnings_on
        subroutine kmp_set_warnings_off()
        end subroutine kmp_set_warnings_off
        subroutine kmp_set_defaults(string)
            character(*), intent(in) :: string
        end subroutine kmp_set_defaults
#ifdef __GFORTRAN__
        function kmp_get_cancellation_status(cancelkind)
            import :: kmp_cancel_kind
            logical(4) :: kmp_get_cancellation_status
            integer(kmp_cancel_kind), intent(in) :: cancelkind
        end function kmp_get_cancellation_status
#else
        function kmp_get_cancellation_status(cancelkind) bind(c)
            import :: kmp_cancel_kind
            logical(4) :: kmp_get_cancellation_status
            integer(kmp_cancel_kind), value :: cancelkind
        end function kmp_get_cancellation_status
#endif
        subroutine kmp_create_affinity_mask(mask)
            import :: kmp_affinity_mask_kind
            integer(kmp_affinity_mask_kind), intent(inout) :: mask
        end subroutine kmp_create_affinity_mask
        subroutine kmp_destroy_affinity_mask(mask)
            import :: kmp_affinity_mask_kind
            integer(kmp_affinity_mask_kind), intent(inout) :: mask
        end subroutine kmp_destroy_affinity_mask
        function kmp_set_affinity(mask)
            import :: kmp_affinity_mask_kind
            integer(4) :: kmp_set_affinity
            integer(kmp_affinity_mask_kind), intent(inout) :: mask
        end function kmp_set_affinity
        function kmp_get_affinity(mask)
            import :: kmp_affinity_mask_kind
            integer(4) :: kmp_get_affinity
            integer(kmp_affinity_mask_kind), intent(inout) :: mask
        end function kmp_get_affinity
        function kmp_set_affinity_mask_proc(proc, mask)
            import :: kmp_affinity_mask_kind
            integer(4) :: kmp_set_affinity_mask_proc
            integer(4), intent(in) :: proc
            integer(kmp_affinity_mask_kind), intent(inout) :: mask
        end function kmp_set_affinity_mask_proc
        function kmp_unset_affinity_mask_proc(proc, mask)
            import :: kmp_affinity_mask_kind
            integer(4) :: kmp_unset_affinity_mask_proc
            integer(4), intent(in) :: proc
            integer(kmp_affinity_mask_kind), intent(inout) :: mask
        end function kmp_unset_affinity_mask_proc
        function kmp_get_affinity_mask_proc(proc, mask)
            import :: kmp_affinity_mask_kind
            integer(4) :: kmp_get_affinity_mask_proc
            integer(4), intent(in) :: proc
            integer(kmp_affinity_mask_kind), intent(inout) :: mask
        end function kmp_get_affinity_mask_proc
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
end module omp_lib
