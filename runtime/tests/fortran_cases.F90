! SPDX-License-Identifier: Apache-2.0
!
! Calls every family of OpenMP routines through omp_lib (OpenMP 5.2 chapter 18, 6.0 chapters 21 to 30) and
! checks what comes back. Prints OK, or the line of the first check that failed, with exit code 1.
!
! PEER_GOMP or PEER_OMP leaves out what libgomp 12 or libomp 14 does not have: the program is to pass on
! them too, which is what makes it a test of the program. OWN_MODULE: omp_lib is ours. WIDE: there are calls
! with arguments of 8 bytes.
#define CHECK(x) call check((x), __LINE__)
#if !defined(PEER_GOMP) && !defined(PEER_OMP)
#define COMPANION
#endif
#if defined(__GFORTRAN__) || (defined(OWN_MODULE) && defined(COMPANION))
#define WIDE
#endif

program fortran_cases
    use omp_lib
    use fortran_check
    implicit none
    call threads
    call levels
    call schedules
    call tasks
    call teams
    call places
    call affinity_format
    call simple_locks
    call nest_locks
    call lock_excludes
    call time
    call devices
    call allocators
#ifndef PEER_OMP
    call device_memory
#endif
#if defined(COMPANION) && defined(OWN_MODULE)
    call companion_only
#endif
#if defined(OWN_MODULE) && !defined(PEER_GOMP)
    call clang_only
#endif
    call resources
    print '(a)', 'OK'

contains

    subroutine threads
        integer :: n, sum
        CHECK(omp_get_num_threads() == 1)
        CHECK(omp_get_thread_num() == 0)
        CHECK(omp_get_num_procs() >= 1)
        CHECK(.not. omp_in_parallel())
        CHECK(omp_get_thread_limit() >= 8)
        call omp_set_dynamic(.true.)
        CHECK(omp_get_dynamic())
        call omp_set_dynamic(.false.)
        CHECK(.not. omp_get_dynamic())
        call omp_set_num_threads(3)
        CHECK(omp_get_max_threads() == 3)
        n = 0
        sum = 0
        !$omp parallel reduction(+: sum)
        sum = sum + omp_get_thread_num() + 1
        !$omp master
        n = omp_get_num_threads()
        !$omp end master
        CHECK(omp_in_parallel())
        !$omp end parallel
        CHECK(n == 3)
        CHECK(sum == 6)
#ifdef WIDE
        call omp_set_num_threads(2_8)
        CHECK(omp_get_max_threads() == 2)
        call omp_set_dynamic(.true._8)
        CHECK(omp_get_dynamic())
        call omp_set_dynamic(.false._8)
        CHECK(.not. omp_get_dynamic())
#endif
    end subroutine threads

    subroutine levels
        integer :: old, bad
        old = omp_get_max_active_levels()
        CHECK(omp_get_supported_active_levels() >= 8)
        call omp_set_nested(.true.)
        CHECK(omp_get_nested())
        call omp_set_nested(.false.)
        CHECK(.not. omp_get_nested())
        CHECK(omp_get_max_active_levels() == 1)
        call omp_set_max_active_levels(2)
        CHECK(omp_get_max_active_levels() == 2)
        call omp_set_max_active_levels(-1)
        CHECK(omp_get_max_active_levels() == 2)
        CHECK(omp_get_level() == 0)
        CHECK(omp_get_active_level() == 0)
        CHECK(omp_get_team_size(0) == 1)
        CHECK(omp_get_ancestor_thread_num(0) == 0)
        CHECK(omp_get_ancestor_thread_num(1) == -1)
        CHECK(omp_get_team_size(-3) == -1)
        bad = 0
        !$omp parallel num_threads(2) reduction(+: bad)
        call inner(omp_get_thread_num(), bad)
        !$omp end parallel
        CHECK(bad == 0)
        call omp_set_max_active_levels(old)
    end subroutine levels

    subroutine inner(outer, bad)
        integer, intent(in) :: outer
        integer, intent(inout) :: bad
        integer :: wrong
        wrong = 0
        !$omp parallel num_threads(3) reduction(+: wrong)
        if (omp_get_level() /= 2 .or. omp_get_active_level() /= 2) wrong = wrong + 1
        if (omp_get_ancestor_thread_num(1) /= outer) wrong = wrong + 1
        if (omp_get_ancestor_thread_num(2) /= omp_get_thread_num()) wrong = wrong + 1
        if (omp_get_team_size(1) /= 2 .or. omp_get_team_size(2) /= 3) wrong = wrong + 1
#ifdef WIDE
        if (omp_get_ancestor_thread_num(1_8) /= outer .or. omp_get_team_size(2_8) /= 3) wrong = wrong + 1
#endif
        !$omp end parallel
        bad = bad + wrong
    end subroutine inner

    subroutine schedules
        integer(omp_sched_kind) :: kind
        integer :: chunk
#ifdef WIDE
        integer(8) :: wide
#endif
        call omp_set_schedule(omp_sched_dynamic, 7)
        call omp_get_schedule(kind, chunk)
        CHECK(iand(kind, 7_omp_sched_kind) == omp_sched_dynamic)
        CHECK(chunk == 7)
        call omp_set_schedule(omp_sched_guided, 0)
        call omp_get_schedule(kind, chunk)
        CHECK(iand(kind, 7_omp_sched_kind) == omp_sched_guided)
        CHECK(chunk <= 1)
#ifdef WIDE
        call omp_set_schedule(omp_sched_static, 11_8)
        wide = -1
        call omp_get_schedule(kind, wide)
        CHECK(iand(kind, 7_omp_sched_kind) == omp_sched_static)
        CHECK(wide == 11_8)
        call omp_set_schedule(omp_sched_static, 4000000000_8)
        call omp_get_schedule(kind, wide)
        CHECK(wide == 2147483647_8)
#endif
        call omp_set_schedule(omp_sched_static, 0)
    end subroutine schedules

    subroutine tasks
#ifdef __GFORTRAN__
        integer(omp_event_handle_kind) :: event
#endif
        logical :: final
        integer :: done
        CHECK(.not. omp_in_final())
#if defined(OWN_MODULE) || defined(__GFORTRAN__)
        CHECK(.not. omp_get_cancellation()) ! an integer in flang's module
#endif
        CHECK(omp_get_max_task_priority() == 0)
        final = .false.
        !$omp parallel num_threads(2)
        !$omp single
        !$omp task final(.true.) shared(final)
        final = omp_in_final()
        !$omp end task
        !$omp end single
        !$omp end parallel
        CHECK(final)
        done = 0
#ifdef __GFORTRAN__
        !$omp parallel num_threads(2)
        !$omp single
        !$omp task detach(event) shared(done)
        done = 1
        !$omp end task
        call omp_fulfill_event(event)
        !$omp taskwait
        done = done + 1
        !$omp end single
        !$omp end parallel
        CHECK(done == 2)
#endif
#if defined(COMPANION) && (defined(OWN_MODULE) || !defined(__GFORTRAN__))
        CHECK(.not. omp_in_explicit_task())
#endif
    end subroutine tasks

    subroutine teams
        CHECK(omp_get_num_teams() == 1)
        CHECK(omp_get_team_num() == 0)
        call omp_set_num_teams(3)
        CHECK(omp_get_max_teams() == 3)
        call omp_set_teams_thread_limit(5)
        CHECK(omp_get_teams_thread_limit() == 5)
#ifdef WIDE
        call omp_set_num_teams(2_8)
        CHECK(omp_get_max_teams() == 2)
        call omp_set_teams_thread_limit(4_8)
        CHECK(omp_get_teams_thread_limit() == 4)
#endif
    end subroutine teams

    subroutine places
        integer :: p, i, n, here
        integer, allocatable :: ids(:)
#ifdef WIDE
        integer(8), allocatable :: wide(:)
#endif
        n = omp_get_num_places()
        CHECK(n >= 0)
        here = omp_get_place_num()
        CHECK(here >= -1 .and. here < max(n, 1))
        CHECK(omp_get_place_num_procs(n + 5) == 0)
        CHECK(omp_get_proc_bind() >= omp_proc_bind_false)
        CHECK(omp_get_proc_bind() <= omp_proc_bind_spread)
        do p = 0, n - 1
            CHECK(omp_get_place_num_procs(p) >= 1)
            allocate (ids(omp_get_place_num_procs(p) + 1))
            ids = -77
            call omp_get_place_proc_ids(p, ids)
            CHECK(ids(size(ids)) == -77)
            CHECK(ids(1) >= 0)
            do i = 2, size(ids) - 1
                CHECK(ids(i) > ids(i - 1))
            end do
#ifdef WIDE
            allocate (wide(size(ids)))
            wide = -77
            call omp_get_place_proc_ids(int(p, 8), wide)
            CHECK(all(wide == ids))
            CHECK(omp_get_place_num_procs(int(p, 8)) == size(ids) - 1)
            deallocate (wide)
#endif
            deallocate (ids)
        end do
        n = omp_get_partition_num_places()
        CHECK(n >= 0 .and. n <= max(omp_get_num_places(), 1))
        allocate (ids(n + 1))
        ids = -77
        call omp_get_partition_place_nums(ids)
        CHECK(ids(n + 1) == -77)
        do i = 1, n
            CHECK(ids(i) >= 0 .and. ids(i) < max(omp_get_num_places(), 1))
        end do
#ifdef WIDE
        allocate (wide(n + 1))
        wide = -77
        call omp_get_partition_place_nums(wide)
        CHECK(all(wide == ids))
#endif
    end subroutine places

    subroutine affinity_format
        character(40) :: long
        character(5) :: short
        character(300) :: huge_format, huge_back
        call omp_set_affinity_format('level %L of %n')
        long = repeat('x', 40)
        CHECK(omp_get_affinity_format(long) == 14)
        CHECK(long == 'level %L of %n')
        CHECK(long(40:40) == ' ')
#ifndef PEER_OMP
        short = 'xxxxx' ! libomp 14 ends with an assertion when it must cut
        CHECK(omp_get_affinity_format(short) == 14)
        CHECK(short == 'level')
#endif
        long = repeat('x', 40)
        CHECK(omp_capture_affinity(long, 'is %L, %0.3n!  ') == 12)
        CHECK(long == 'is 0, 000!')
        CHECK(long(40:40) == ' ')
#ifndef PEER_OMP
        CHECK(omp_capture_affinity(short, '  %N %N %N') == 7)
        CHECK(short == '  1 1')
#endif
        CHECK(omp_capture_affinity(long, '') == 12)
        CHECK(long == 'level 0 of 0')
        huge_format = repeat('y', 299)
        call omp_set_affinity_format(huge_format)
        CHECK(omp_get_affinity_format(huge_back) == 300)
        CHECK(huge_back == huge_format)
        call omp_set_affinity_format('%n')
        call omp_display_affinity('shown %n')
        call omp_display_affinity('')
    end subroutine affinity_format

    ! The lock stands between two words that must stay as they are.
    subroutine simple_locks
        type guarded
            sequence
            integer(omp_lock_kind) :: before, lock, after
        end type guarded
        type(guarded), target :: g
        logical :: got
        g%before = 1234567
        g%after = 7654321
        call omp_init_lock(g%lock)
        CHECK(omp_test_lock(g%lock))
        !$omp parallel num_threads(2) shared(g) private(got)
        if (omp_get_thread_num() == 1) then
            got = omp_test_lock(g%lock)
            CHECK(.not. got)
        end if
        !$omp end parallel
        call omp_unset_lock(g%lock)
        call omp_set_lock(g%lock)
        CHECK(.not. omp_test_lock(g%lock))
        call omp_unset_lock(g%lock)
        call omp_destroy_lock(g%lock)
#ifndef PEER_GOMP
        call omp_init_lock_with_hint(g%lock, omp_sync_hint_contended)
        CHECK(omp_test_lock(g%lock))
        call omp_unset_lock(g%lock)
        call omp_destroy_lock(g%lock)
#endif
        CHECK(g%before == 1234567 .and. g%after == 7654321)
    end subroutine simple_locks

    subroutine nest_locks
        type guarded
            sequence
            integer(omp_nest_lock_kind) :: before, lock, after
        end type guarded
        type(guarded), target :: g
        integer :: count
        g%before = 1234567
        g%after = 7654321
        call omp_init_nest_lock(g%lock)
        CHECK(omp_test_nest_lock(g%lock) == 1)
        call omp_set_nest_lock(g%lock)
        CHECK(omp_test_nest_lock(g%lock) == 3)
        !$omp parallel num_threads(2) shared(g) private(count)
        if (omp_get_thread_num() == 1) then
            count = omp_test_nest_lock(g%lock)
            CHECK(count == 0)
        end if
        !$omp end parallel
        call omp_unset_nest_lock(g%lock)
        call omp_unset_nest_lock(g%lock)
        call omp_unset_nest_lock(g%lock)
        CHECK(omp_test_nest_lock(g%lock) == 1)
        call omp_unset_nest_lock(g%lock)
        call omp_destroy_nest_lock(g%lock)
#ifndef PEER_GOMP
        call omp_init_nest_lock_with_hint(g%lock, omp_sync_hint_none)
        CHECK(omp_test_nest_lock(g%lock) == 1)
        call omp_unset_nest_lock(g%lock)
        call omp_destroy_nest_lock(g%lock)
#endif
        CHECK(g%before == 1234567 .and. g%after == 7654321)
    end subroutine nest_locks

    subroutine lock_excludes
        integer(omp_lock_kind) :: lock
        integer(omp_nest_lock_kind) :: nest
        integer :: i, simple, nested
        call omp_init_lock(lock)
        call omp_init_nest_lock(nest)
        simple = 0
        nested = 0
        !$omp parallel do num_threads(4) shared(lock, nest, simple, nested)
        do i = 1, 4000
            call omp_set_lock(lock)
            simple = simple + 1
            call omp_unset_lock(lock)
            call omp_set_nest_lock(nest)
            call omp_set_nest_lock(nest)
            nested = nested + 1
            call omp_unset_nest_lock(nest)
            call omp_unset_nest_lock(nest)
        end do
        CHECK(simple == 4000)
        CHECK(nested == 4000)
        call omp_destroy_lock(lock)
        call omp_destroy_nest_lock(nest)
    end subroutine lock_excludes

    subroutine time
        real(8) :: before
        before = omp_get_wtime()
        CHECK(omp_get_wtime() >= before)
        CHECK(omp_get_wtime() < before + 1000)
        CHECK(omp_get_wtick() > 0 .and. omp_get_wtick() < 1)
    end subroutine time

    subroutine devices
        integer :: old
        old = omp_get_default_device()
        call omp_set_default_device(3)
        CHECK(omp_get_default_device() == 3)
#ifdef WIDE
        call omp_set_default_device(1_8)
        CHECK(omp_get_default_device() == 1)
#endif
        call omp_set_default_device(old)
        CHECK(omp_get_num_devices() == 0)
        CHECK(omp_is_initial_device())
        CHECK(omp_get_device_num() == omp_get_initial_device())
    end subroutine devices

    subroutine resources
        CHECK(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0)
#ifndef PEER_OMP
        call threads ! libomp 14 ends with an assertion in the first reduction after a pause
        CHECK(omp_pause_resource_all(omp_pause_hard) == 0)
        call omp_set_num_threads(2)
        call threads
#endif
        call omp_display_env(.false.)
    end subroutine resources

    subroutine allocators
        use, intrinsic :: iso_c_binding
        type(omp_alloctrait) :: traits(2)
        integer(omp_allocator_handle_kind) :: a
        type(c_ptr) :: p
        integer(c_int8_t), pointer :: bytes(:)
        CHECK(omp_get_default_allocator() == omp_default_mem_alloc)
        traits(1) = omp_alloctrait(omp_atk_alignment, 256)
        traits(2)%key = omp_atk_fallback
        traits(2)%value = omp_atv_null_fb
        a = omp_init_allocator(omp_default_mem_space, 2, traits)
        CHECK(a /= omp_null_allocator)
        call omp_set_default_allocator(a)
        CHECK(omp_get_default_allocator() == a)
        call omp_set_default_allocator(omp_default_mem_alloc)
        p = omp_alloc(100_c_size_t, a)
        CHECK(c_associated(p))
        CHECK(mod(transfer(p, 0_c_intptr_t), 256_c_intptr_t) == 0)
        call c_f_pointer(p, bytes, [100])
        bytes = 42
        p = omp_realloc(p, 5000_c_size_t, a, a)
        CHECK(c_associated(p))
        call c_f_pointer(p, bytes, [5000])
        CHECK(all(bytes(1:100) == 42))
        call omp_free(p, a)
        p = omp_calloc(10_c_size_t, 30_c_size_t, a)
        call c_f_pointer(p, bytes, [300])
        CHECK(all(bytes == 0))
        call omp_free(p, omp_null_allocator)
        p = omp_aligned_alloc(1024_c_size_t, 2048_c_size_t, omp_default_mem_alloc)
        CHECK(mod(transfer(p, 0_c_intptr_t), 1024_c_intptr_t) == 0)
        call omp_free(p, omp_default_mem_alloc)
        p = omp_aligned_calloc(512_c_size_t, 4_c_size_t, 512_c_size_t, a)
        CHECK(mod(transfer(p, 0_c_intptr_t), 512_c_intptr_t) == 0)
        call omp_free(p, a)
        call omp_destroy_allocator(a)
#ifdef WIDE
        a = omp_init_allocator(omp_default_mem_space, 1_8, traits)
        CHECK(a /= omp_null_allocator)
        call omp_destroy_allocator(a)
#endif
    end subroutine allocators

    subroutine device_memory
        use, intrinsic :: iso_c_binding
        integer(c_int), target :: from(10)
        integer(c_int), pointer :: to(:)
        type(c_ptr) :: p
        integer :: host, i
        host = omp_get_initial_device()
        p = omp_target_alloc(40_c_size_t, host)
        CHECK(c_associated(p))
        from = [(i * i, i = 1, 10)]
        CHECK(omp_target_memcpy(p, c_loc(from), 40_c_size_t, 0_c_size_t, 0_c_size_t, host, host) == 0)
        call c_f_pointer(p, to, [10])
        CHECK(all(to == from))
        CHECK(omp_target_is_present(p, host) /= 0)
        CHECK(omp_target_associate_ptr(c_loc(from), p, 40_c_size_t, 0_c_size_t, host) /= 0)
        CHECK(omp_target_disassociate_ptr(p, host) /= 0)
        call omp_target_free(p, host)
    end subroutine device_memory

#if defined(COMPANION) && defined(OWN_MODULE)
    subroutine companion_only
        use, intrinsic :: iso_c_binding
        integer(c_int), target :: number
        integer(omp_interop_rc_kind) :: rc
        integer(omp_memspace_handle_kind) :: space
        integer :: host
        type(c_ptr) :: p
        host = omp_get_initial_device()
        CHECK(.not. omp_in_explicit_task())
        CHECK(.not. omp_is_free_agent())
        CHECK(.not. omp_ancestor_is_free_agent(0))
        CHECK(omp_get_max_progress_width(host) >= 1)
        call omp_set_device_num_teams(6, host)
        CHECK(omp_get_device_num_teams(host) == 6)
        call omp_set_device_teams_thread_limit(7, host)
        CHECK(omp_get_device_teams_thread_limit(host) == 7)
        CHECK(omp_target_is_accessible(c_loc(number), 4_c_size_t, host) /= 0)
        p = omp_get_mapped_ptr(c_loc(number), host)
        CHECK(c_associated(p, c_loc(number)))
        number = -1
        p = omp_target_memset(c_loc(number), 1, 4_c_size_t, host)
        CHECK(number == 16843009)
        CHECK(omp_get_device_from_uid('no such device') < -1)
        CHECK(omp_get_num_interop_properties(omp_interop_none) == 0)
        rc = omp_irc_success
        CHECK(omp_get_interop_int(omp_interop_none, omp_ipr_fr_id, rc) == 0)
        CHECK(rc == omp_irc_empty)
        p = omp_get_interop_ptr(omp_interop_none, omp_ipr_device)
        CHECK(.not. c_associated(p))
        space = omp_get_device_memspace(host, omp_default_mem_space)
        space = omp_get_devices_all_memspace(omp_default_mem_space)
        CHECK(omp_get_memspace_num_resources(omp_default_mem_space) >= 1)
#ifdef __GFORTRAN__
        call texts(host)
#endif
    end subroutine companion_only

#ifdef __GFORTRAN__
    subroutine texts(host)
        integer, intent(in) :: host
        character(:), pointer :: text
        text => omp_get_uid_from_device(host)
        CHECK(associated(text))
        CHECK(len(text) > 0)
        CHECK(omp_get_device_from_uid(text) == omp_initial_device .or. omp_get_device_from_uid(text) == host)
        CHECK(omp_get_device_from_uid(text // '   ') == omp_get_device_from_uid(text))
        text => omp_get_uid_from_device(int(host, 8))
        CHECK(len(text) > 0)
        text => omp_get_uid_from_device(host + 77)
        CHECK(.not. associated(text))
        text => omp_get_interop_str(omp_interop_none, omp_ipr_vendor_name)
        CHECK(.not. associated(text))
        text => omp_get_interop_rc_desc(omp_interop_none, omp_irc_empty)
        text => omp_get_interop_name(omp_interop_none, omp_ipr_fr_id)
        text => omp_get_interop_type_desc(omp_interop_none, omp_ipr_fr_id)
    end subroutine texts
#endif
#endif

#if defined(OWN_MODULE) && !defined(PEER_GOMP)
    subroutine clang_only
        integer(kmp_affinity_mask_kind) :: mask
        integer(kmp_pointer_kind) :: memory
        integer :: old
        old = kmp_get_blocktime()
        call kmp_set_blocktime(123)
        CHECK(kmp_get_blocktime() == 123)
        call kmp_set_blocktime(old)
        CHECK(kmp_get_stacksize_s() > 0)
        CHECK(kmp_get_library() >= 0)
        call kmp_set_library_throughput
        CHECK(.not. kmp_get_cancellation_status(kmp_cancel_parallel))
        CHECK(omp_control_tool(omp_control_tool_start, 0) == omp_control_tool_notool)
        CHECK(kmp_get_affinity_max_proc() >= 1)
        mask = 0
        call kmp_create_affinity_mask(mask)
        CHECK(mask /= 0)
        CHECK(kmp_set_affinity_mask_proc(0, mask) == 0)
        CHECK(kmp_get_affinity_mask_proc(0, mask) == 1)
        CHECK(kmp_unset_affinity_mask_proc(0, mask) == 0)
        CHECK(kmp_get_affinity_mask_proc(0, mask) == 0)
        call kmp_destroy_affinity_mask(mask)
        memory = kmp_malloc(100_kmp_size_t_kind)
        CHECK(memory /= 0)
        memory = kmp_realloc(memory, 1000_kmp_size_t_kind)
        CHECK(memory /= 0)
        call kmp_free(memory)
        memory = kmp_calloc(10_kmp_size_t_kind, 10_kmp_size_t_kind)
        call kmp_free(memory)
        memory = kmp_aligned_malloc(100_kmp_size_t_kind, 256_kmp_size_t_kind)
        CHECK(mod(memory, 256_kmp_pointer_kind) == 0)
        call kmp_free(memory)
    end subroutine clang_only
#endif
end program fortran_cases
