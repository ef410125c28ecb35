! SPDX-License-Identifier: Apache-2.0
!
! verdict.h for Fortran. See there for what each routine means.
module f_verdict
    use, intrinsic :: iso_c_binding
    use f_truth
    implicit none
    private
    public :: verdict, stays

    interface
        subroutine verdict_start(file, threads, idle, events, kind, circle, sentence) bind(c)
            import :: c_int, c_char
            character(kind=c_char), intent(in) :: file(*), kind(*), circle(*), sentence(*)
            integer(c_int), value :: threads, idle, events
        end subroutine verdict_start
        subroutine verdict_thread(name, line) bind(c)
            import :: c_int, c_char
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: line
        end subroutine verdict_thread
    end interface

contains

    subroutine verdict(file, threads, kind, circle, sentence)
        character(*), intent(in) :: file, kind, circle, sentence
        integer, intent(in) :: threads
        call verdict_start(file // c_null_char, threads, 0, 0, kind // c_null_char, circle // c_null_char, &
            sentence // c_null_char)
    end subroutine verdict

    ! Without a state the thread works.
    subroutine stays(name, line, state, kind)
        character(*), intent(in) :: name
        character(*), intent(in), optional :: state, kind
        integer, intent(in) :: line
        call verdict_thread(name // c_null_char, line)
        if (present(state) .and. present(kind)) then
            call truth_waits(state, kind, c_null_ptr, 0, '', line)
        else
            call truth_works
        end if
    end subroutine stays
end module f_verdict
