! SPDX-License-Identifier: Apache-2.0
!
! truth.h for Fortran: what a test target knows about itself. See there for what each routine means.
module f_truth
    use, intrinsic :: iso_c_binding
    use omp_lib
    implicit none
    private
    public :: truth_start, truth_tasks, truth_tid, truth_set, truth_get, truth_await, busy_here
    public :: truth_works, truth_task_works, truth_waits, truth_barrier, directive_line
    public :: c_int, c_loc, c_null_ptr, explicit_barrier

    ! gfortran calls the same routine for each barrier, so there the answer is the general one.
#ifdef __GFORTRAN__
    character(*), parameter :: explicit_barrier = 'wait_barrier'
#else
    character(*), parameter :: explicit_barrier = 'wait_barrier_explicit'
#endif

    integer, parameter :: max_level = 8

    ! struct truth_place
    type, bind(c) :: truth_place
        integer(c_int) :: thread_num, team_size, level, active_level, in_parallel, in_final
        integer(c_int) :: ancestor(2, max_level)
        integer(c_int) :: icv(14)
    end type truth_place

    interface
        subroutine truth_tasks(total, running, ready, blocked, suspended, completing) bind(c)
            import :: c_int
            integer(c_int), value :: total, running, ready, blocked, suspended, completing
        end subroutine truth_tasks
        function truth_tid() bind(c)
            import :: c_int
            integer(c_int) :: truth_tid
        end function truth_tid
        subroutine truth_set(word, number) bind(c)
            import :: c_int
            integer(c_int) :: word
            integer(c_int), value :: number
        end subroutine truth_set
        function truth_get(word) bind(c)
            import :: c_int
            integer(c_int) :: word
            integer(c_int) :: truth_get
        end function truth_get
        subroutine truth_await(word, number) bind(c)
            import :: c_int
            integer(c_int) :: word
            integer(c_int), value :: number
        end subroutine truth_await
        subroutine busy_here() bind(c)
        end subroutine busy_here
        subroutine c_truth_start(target, threads, idle, events) bind(c, name='truth_start')
            import :: c_int, c_ptr
            type(c_ptr), value :: target
            integer(c_int), value :: threads, idle, events
        end subroutine c_truth_start
        subroutine truth_put(place, state, in_task, function, line) bind(c)
            import :: c_int, c_ptr, truth_place
            type(truth_place) :: place
            type(c_ptr), value :: state, function
            integer(c_int), value :: in_task, line
        end subroutine truth_put
        subroutine truth_put_wait(place, state, in_task, kind, id, owner, ended, name, function, line) bind(c)
            import :: c_int, c_ptr, truth_place
            type(truth_place) :: place
            type(c_ptr), value :: state, kind, id, name, function
            integer(c_int), value :: in_task, owner, ended, line
        end subroutine truth_put_wait
    end interface

contains

    ! Where the line table puts the call of a directive. flang gives it the line of the statement before.
    pure function directive_line(line) result(known)
        integer, intent(in) :: line
        integer :: known
#ifdef __flang__
        known = min(line, 0)
#else
        known = line
#endif
    end function directive_line

    ! A C string that stays: the observer keeps the address.
    function lasting(text) result(address)
        character(*), intent(in) :: text
        type(c_ptr) :: address
        character(kind=c_char), pointer :: copy(:)
        integer :: i
        allocate (copy(len(text) + 1))
        do i = 1, len(text)
            copy(i) = text(i:i)
        end do
        copy(len(text) + 1) = c_null_char
        address = c_loc(copy(1))
    end function lasting

    function look() result(place)
        type(truth_place) :: place
        integer :: i, chunk
        integer(omp_sched_kind) :: kind
        place%thread_num = omp_get_thread_num()
        place%team_size = omp_get_num_threads()
        place%level = omp_get_level()
        place%active_level = omp_get_active_level()
        place%in_parallel = merge(1, 0, omp_in_parallel())
        place%in_final = merge(1, 0, omp_in_final())
        do i = 0, min(place%level, max_level - 1)
            place%ancestor(1, i + 1) = omp_get_ancestor_thread_num(i)
            place%ancestor(2, i + 1) = omp_get_team_size(i)
        end do
        ! In the order of truth.h. cancel-var: the types of omp_get_cancellation differ from compiler to compiler.
        call omp_get_schedule(kind, chunk)
        place%icv = [omp_get_max_threads(), merge(1, 0, omp_get_dynamic()), omp_get_max_active_levels(), &
            omp_get_thread_limit(), omp_get_num_procs(), omp_get_default_device(), int(omp_get_proc_bind()), &
            -1, omp_get_max_task_priority(), iand(int(kind), huge(0)), &
            max(chunk, 0), omp_get_num_devices(), omp_get_num_teams(), omp_get_team_num()]
    end function look

    subroutine truth_start(target, threads, idle, events)
        character(*), intent(in) :: target
        integer, intent(in) :: threads, idle, events
        call c_truth_start(lasting(target), threads, idle, events)
    end subroutine truth_start

    subroutine works(in_task)
        integer, intent(in) :: in_task
        type(truth_place) :: place
        place = look()
        if (place%level > 0) then
            call truth_put(place, lasting('work_parallel'), in_task, lasting('MAIN__'), 0)
        else
            call truth_put(place, lasting('work_serial'), in_task, lasting('MAIN__'), 0)
        end if
    end subroutine works

    subroutine truth_works
        call works(0)
    end subroutine truth_works

    subroutine truth_task_works
        call works(1)
    end subroutine truth_task_works

    ! name '': the object has none.
    subroutine truth_waits(state, kind, id, owner, name, line)
        character(*), intent(in) :: state, kind, name
        type(c_ptr), intent(in) :: id
        integer, intent(in) :: owner, line
        type(truth_place) :: place
        type(c_ptr) :: label
        place = look()
        label = c_null_ptr
        if (name /= '') label = lasting(name)
        call truth_put_wait(place, lasting(state), 0, lasting(kind), id, owner, 0, label, lasting('MAIN__'), &
            line)
    end subroutine truth_waits

    subroutine truth_barrier(state, line)
        character(*), intent(in) :: state
        integer, intent(in) :: line
        call truth_waits(state, 'barrier', c_null_ptr, 0, '', line)
    end subroutine truth_barrier
end module f_truth
