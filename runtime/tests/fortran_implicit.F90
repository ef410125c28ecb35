! SPDX-License-Identifier: Apache-2.0
!
! OpenMP routines called as programs without a module do: external names, every argument by address, which
! is what `omp_xxx_` and `omp_xxx_8_` take. PEER_GOMP leaves out what libgomp 12 does not have, PEER_OMP
! also what libomp takes by value.
#define CHECK(x) call check((x), __LINE__)
#if !defined(PEER_GOMP) && !defined(PEER_OMP)
#define COMPANION
#endif

program fortran_implicit
    use fortran_check
    implicit none
    integer(4), external :: omp_get_num_threads, omp_get_max_threads, omp_get_thread_num, omp_get_num_procs
    integer(4), external :: omp_get_thread_limit, omp_get_max_active_levels, omp_get_level, &
        omp_get_active_level
    integer(4), external :: omp_get_supported_active_levels, omp_get_ancestor_thread_num, omp_get_team_size
    integer(4), external :: omp_get_num_teams, omp_get_team_num, omp_get_max_teams, omp_get_teams_thread_limit
    integer(4), external :: omp_get_max_task_priority, omp_get_proc_bind, omp_get_num_places, &
        omp_get_place_num
    integer(4), external :: omp_get_partition_num_places, omp_get_default_device, omp_get_num_devices
    integer(4), external :: omp_get_device_num, omp_get_initial_device, omp_test_nest_lock
    integer(4), external :: omp_get_affinity_format, omp_capture_affinity
    logical(4), external :: omp_in_parallel, omp_get_dynamic, omp_get_nested, omp_in_final, &
        omp_get_cancellation
    logical(4), external :: omp_is_initial_device, omp_test_lock
    real(8), external :: omp_get_wtime, omp_get_wtick
    integer(8), external :: omp_get_default_allocator, omp_init_allocator
    external :: omp_set_num_threads, omp_set_dynamic, omp_set_nested, omp_set_max_active_levels
    external :: omp_set_schedule, omp_get_schedule, omp_set_num_teams, omp_set_teams_thread_limit
    external :: omp_set_default_device, omp_init_lock, omp_destroy_lock, omp_set_lock, omp_unset_lock
    external :: omp_init_nest_lock, omp_destroy_nest_lock, omp_set_nest_lock, omp_unset_nest_lock
    external :: omp_set_affinity_format, omp_get_partition_place_nums
    integer(4) :: kind, chunk, ids(4096), n
    integer(4) :: locks(3) ! 4 bytes each on libgomp; a lock of libomp takes two
    integer(4) :: nest_locks(4)
    character(20) :: text
    type trait
        sequence
        integer(4) :: key
        integer(8) :: value
    end type trait

    call omp_set_num_threads(3)
    CHECK(omp_get_max_threads() == 3)
    CHECK(omp_get_num_threads() == 1)
    CHECK(omp_get_thread_num() == 0)
    CHECK(omp_get_num_procs() >= 1)
    CHECK(omp_get_thread_limit() >= 8)
    n = 0
    !$omp parallel reduction(+: n)
    n = n + omp_get_num_threads()
    if (.not. omp_in_parallel()) n = -100
    !$omp end parallel
    CHECK(n == 9)
    CHECK(.not. omp_in_parallel())
    call omp_set_dynamic(.true.)
    CHECK(omp_get_dynamic())
    call omp_set_dynamic(.false.)
    CHECK(.not. omp_get_dynamic())
    call omp_set_nested(.true.)
    CHECK(omp_get_nested())
    call omp_set_nested(.false.)
    call omp_set_max_active_levels(2)
    CHECK(omp_get_max_active_levels() == 2)
    CHECK(omp_get_supported_active_levels() >= 2)
    CHECK(omp_get_level() == 0)
    CHECK(omp_get_active_level() == 0)
    CHECK(omp_get_ancestor_thread_num(0) == 0)
    CHECK(omp_get_ancestor_thread_num(2) == -1)
    CHECK(omp_get_team_size(0) == 1)
    call omp_set_schedule(2, 9)
    call omp_get_schedule(kind, chunk)
    CHECK(iand(kind, 7) == 2)
    CHECK(chunk == 9)
    CHECK(.not. omp_in_final())
    CHECK(.not. omp_get_cancellation())
    CHECK(omp_get_max_task_priority() == 0)
    CHECK(omp_get_num_teams() == 1)
    CHECK(omp_get_team_num() == 0)
    call omp_set_num_teams(4)
    CHECK(omp_get_max_teams() == 4)
    call omp_set_teams_thread_limit(6)
    CHECK(omp_get_teams_thread_limit() == 6)

    CHECK(omp_get_proc_bind() >= 0)
    CHECK(omp_get_num_places() >= 0)
    CHECK(omp_get_place_num() >= -1)
    ids = -77
    call omp_get_partition_place_nums(ids)
    CHECK(ids(omp_get_partition_num_places() + 1) == -77)
    call omp_set_affinity_format('%n of %N')
    CHECK(omp_get_affinity_format(text) == 8)
    CHECK(text == '%n of %N')
    CHECK(omp_capture_affinity(text, '<%N>') == 3)
    CHECK(text == '<1>')

    call omp_set_default_device(2)
    CHECK(omp_get_default_device() == 2)
    call omp_set_default_device(0)
    CHECK(omp_get_num_devices() == 0)
    CHECK(omp_get_device_num() == omp_get_initial_device())
    CHECK(omp_is_initial_device())
    CHECK(omp_get_wtime() >= 0)
    CHECK(omp_get_wtick() > 0)

    locks = 55555
    call omp_init_lock(locks(1))
    CHECK(omp_test_lock(locks(1)))
    CHECK(.not. omp_test_lock(locks(1)))
    call omp_unset_lock(locks(1))
    call omp_set_lock(locks(1))
    call omp_unset_lock(locks(1))
    call omp_destroy_lock(locks(1))
#ifndef PEER_OMP
    CHECK(locks(2) == 55555)
#endif
    CHECK(locks(3) == 55555)
    nest_locks = 55555
    call omp_init_nest_lock(nest_locks(1))
    call omp_set_nest_lock(nest_locks(1))
    CHECK(omp_test_nest_lock(nest_locks(1)) == 2)
    call omp_unset_nest_lock(nest_locks(1))
    call omp_unset_nest_lock(nest_locks(1))
    call omp_destroy_nest_lock(nest_locks(1))
    CHECK(nest_locks(3) == 55555)

    call allocators
#ifndef PEER_OMP
    call by_address
#endif
#if defined(COMPANION) || (defined(PEER_GOMP) && defined(__GFORTRAN__))
    call wide
#endif
#ifdef COMPANION
    call companion_only
#endif
    print '(a)', 'OK'

contains

    subroutine allocators
        type(trait) :: traits(1)
        integer(8) :: a
        integer :: i
        CHECK(omp_get_default_allocator() == 1)
        i = 1
        traits(i) = trait(2, 64)
        a = omp_init_allocator(0_8, 1, traits)
        CHECK(a /= 0)
#ifndef PEER_OMP
        call omp_set_default_allocator(a)
        CHECK(omp_get_default_allocator() == a)
        call omp_set_default_allocator(1_8)
        call omp_destroy_allocator(a)
#endif
    end subroutine allocators

    subroutine by_address
        integer(4), external :: omp_get_place_num_procs, omp_pause_resource, omp_pause_resource_all
        integer :: p
        CHECK(omp_get_place_num_procs(9999) == 0)
        do p = 0, omp_get_num_places() - 1
            ids = -77
            call omp_get_place_proc_ids(p, ids)
            CHECK(ids(omp_get_place_num_procs(p)) >= 0)
            CHECK(ids(omp_get_place_num_procs(p) + 1) == -77)
        end do
        CHECK(omp_pause_resource(1, omp_get_initial_device()) == 0)
        CHECK(omp_pause_resource_all(1) == 0)
        call omp_display_affinity('%n of %N')
        call omp_display_env(.false.)
    end subroutine by_address

#if defined(COMPANION) || (defined(PEER_GOMP) && defined(__GFORTRAN__))
    subroutine wide
        integer(4), external :: omp_get_ancestor_thread_num_8, omp_get_team_size_8, omp_get_place_num_procs_8
        integer(8) :: wide_chunk, wide_ids(4096)
        integer :: p
        call omp_set_num_threads_8(4_8)
        CHECK(omp_get_max_threads() == 4)
        call omp_set_dynamic_8(.true._8)
        CHECK(omp_get_dynamic())
        call omp_set_dynamic_8(.false._8)
        call omp_set_nested_8(.true._8)
        CHECK(omp_get_nested())
        call omp_set_nested_8(.false._8)
        call omp_set_max_active_levels_8(5_8)
        CHECK(omp_get_max_active_levels() == 5)
        CHECK(omp_get_ancestor_thread_num_8(0_8) == 0)
        CHECK(omp_get_ancestor_thread_num_8(4294967296_8) == -1)
        CHECK(omp_get_team_size_8(0_8) == 1)
        call omp_set_schedule_8(3, 12_8)
        wide_chunk = -1
        call omp_get_schedule_8(kind, wide_chunk)
        CHECK(iand(kind, 7) == 3)
        CHECK(wide_chunk == 12_8)
        call omp_set_default_device_8(1_8)
        CHECK(omp_get_default_device() == 1)
        call omp_set_num_teams_8(3_8)
        CHECK(omp_get_max_teams() == 3)
        call omp_set_teams_thread_limit_8(2_8)
        CHECK(omp_get_teams_thread_limit() == 2)
        CHECK(omp_get_place_num_procs_8(9999_8) == 0)
        do p = 0, omp_get_num_places() - 1
            ids = -77
            wide_ids = -77
            call omp_get_place_proc_ids(p, ids)
            call omp_get_place_proc_ids_8(int(p, 8), wide_ids)
            CHECK(all(ids == wide_ids))
        end do
        ids = -77
        wide_ids = -77
        call omp_get_partition_place_nums(ids)
        call omp_get_partition_place_nums_8(wide_ids)
        CHECK(all(ids == wide_ids))
    end subroutine wide
#endif

#ifdef COMPANION
    subroutine companion_only
        integer(4), external :: omp_get_device_from_uid, kmp_get_blocktime, omp_get_device_num_teams
        integer(4), external :: omp_get_memspace_num_resources, kmp_set_affinity_mask_proc
        integer(4), external :: kmp_get_affinity_mask_proc
        logical(4), external :: omp_in_explicit_task, omp_is_free_agent, kmp_get_cancellation_status
        integer(8), external :: kmp_get_stacksize_s
        integer(8) :: mask
        CHECK(.not. omp_in_explicit_task())
        CHECK(.not. omp_is_free_agent())
        CHECK(omp_get_device_from_uid('nothing') < -1)
        call omp_set_device_num_teams(3, omp_get_initial_device())
        CHECK(omp_get_device_num_teams(omp_get_initial_device()) == 3)
        CHECK(omp_get_memspace_num_resources(0_8) >= 1)
        call omp_init_lock_with_hint(locks(1), 2)
        CHECK(omp_test_lock(locks(1)))
        CHECK(locks(2) == 55555)
        call omp_init_nest_lock_with_hint(nest_locks(1), 2)
        CHECK(omp_test_nest_lock(nest_locks(1)) == 1)
        CHECK(nest_locks(3) == 55555)
        call kmp_set_blocktime(77)
        CHECK(kmp_get_blocktime() == 77)
        call kmp_set_defaults('KMP_BLOCKTIME=77')
        CHECK(kmp_get_stacksize_s() > 0)
        CHECK(.not. kmp_get_cancellation_status(1))
        call kmp_create_affinity_mask(mask)
        CHECK(kmp_set_affinity_mask_proc(0, mask) == 0)
        CHECK(kmp_get_affinity_mask_proc(0, mask) == 1)
        call kmp_destroy_affinity_mask(mask)
    end subroutine companion_only
#endif
end program fortran_implicit
