! SPDX-License-Identifier: Apache-2.0
! As held.c, in an internal subroutine; with "crash" member 3 uses a pointer that points to nothing.
module words
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        subroutine words_around(pass, unused, outer) bind(c)
            import :: c_int
            integer(c_int), value :: pass, unused, outer
        end subroutine words_around
        subroutine words_of_member(number, iteration, mine, place) bind(c)
            import :: c_int
            integer(c_int), value :: number, iteration, mine, place
        end subroutine words_of_member
        subroutine words_await() bind(c)
        end subroutine words_await
        subroutine stay_asleep() bind(c)
        end subroutine stay_asleep
        subroutine stay_busy() bind(c)
        end subroutine stay_busy
    end interface
end module words

program held
    use omp_lib
    use words
    implicit none
    integer(omp_lock_kind) :: gate
    integer :: shade, holds
    logical :: crashes

    holds = 0
    shade = 43
    crashes = command_argument_count() > 0
    call omp_init_lock(gate)
    call work(3)

contains

    subroutine hold_and_create()
        integer :: i

        call omp_set_lock(gate) ! TAKEN
        !$omp atomic write
        holds = 1
        do i = 1, 3
            !$omp task
            call stay_asleep()
            !$omp end task
        end do
    end subroutine hold_and_create

    subroutine member(i, mine)
        integer, intent(in) :: i, mine
        integer :: number, seen
        integer, pointer :: none(:)

        number = omp_get_thread_num()
        nullify (none)
        if (number == 0) call hold_and_create()
        seen = 0
        do while (seen == 0)
            !$omp atomic read
            seen = holds
        end do
        call words_of_member(number, i, mine, omp_get_place_num())
        if (number == 1) then
            call omp_set_lock(gate) ! WAITS
        end if
        if (number == 2) call stay_busy()
        call words_await()
        if (number == 3 .and. crashes) then
            none(3) = i ! CRASHES
        end if
        call stay_asleep()
    end subroutine member

    subroutine work(pass)
        integer, intent(in) :: pass
        integer :: unused, mine, i

        unused = 70 + pass
        call words_around(pass, unused, shade)
        !$omp parallel num_threads(4) private(mine)
        mine = 100*omp_get_thread_num()
        !$omp do schedule(dynamic, 3)
        do i = 0, 99
            call member(i, mine)
        end do
        !$omp end do
        !$omp end parallel
    end subroutine work
end program held
