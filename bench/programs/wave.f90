! SPDX-License-Identifier: Apache-2.0
!> Waves on a membrane of SIZE x SIZE points by leapfrog: a parallel loop for each of STEPS time steps, and a
!> reduction in it.
!>
!> usage: wave [SIZE] [REPEATS]      as the programs of program.h
!>
!> The check: a standing wave of the grid keeps its shape and swings by the frequency that the difference scheme
!> gives it, sin(w/2) = c sin(k/2) sqrt(2).
program wave
    use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
    implicit none
    integer, parameter :: steps = 450
    integer :: n, repeats, i
    real(real64) :: took, total = 0

    n = argument(1, 384)
    repeats = argument(2, 10)
    if (n < 8 .or. repeats < 1) error stop 64
    do i = 1, repeats
        took = swing(n)
        if (took < 0) then
            write (error_unit, '(a)') 'wave: the result is wrong'
            error stop 1
        end if
        total = total + took
    end do
    print '(f0.6)', total

contains

    integer function argument(number, otherwise)
        integer, intent(in) :: number, otherwise
        character(len=20) :: word
        argument = otherwise
        call get_command_argument(number, word)
        if (word /= '') read (word, *) argument
    end function

    real(real64) function seconds()
        integer(int64) :: count, rate
        call system_clock(count, rate)
        seconds = real(count, real64) / real(rate, real64)
    end function

    !> The seconds it took, or less than 0.
    real(real64) function swing(n)
        integer, intent(in) :: n
        real(real64), parameter :: pi = acos(-1.0_real64), courant = 0.5_real64
        real(real64), allocatable :: before(:, :), here(:, :), after(:, :), last(:, :), shape(:)
        real(real64) :: omega, start, highest
        integer :: step, j

        allocate (before(0:n, 0:n), here(0:n, 0:n), after(0:n, 0:n), shape(0:n))
        shape = [(sin(2 * pi * j / n), j = 0, n)]
        omega = 2 * asin(courant * sqrt(2.0_real64) * sin(pi / n))
        do j = 0, n
            here(:, j) = shape * shape(j)
            before(:, j) = cos(omega) * here(:, j)
        end do
        after = 0
        start = seconds()
        do step = 1, steps
            highest = one_step(n, courant**2, before, here, after)
            call move_alloc(before, last)
            call move_alloc(here, before)
            call move_alloc(after, here)
            call move_alloc(last, after)
        end do
        swing = seconds() - start
        do j = 1, n - 1
            if (any(abs(here(1:n - 1, j) - cos(omega * steps) * shape(1:n - 1) * shape(j)) > 1e-8_real64)) swing = -1
        end do
        if (abs(highest - maxval(abs(here))) > 0) swing = -1
    end function

    !> The highest value of the new state.
    real(real64) function one_step(n, factor, before, here, after)
        integer, intent(in) :: n
        real(real64), intent(in) :: factor, before(0:, 0:), here(0:, 0:)
        real(real64), intent(inout) :: after(0:, 0:)
        integer :: i, j
        one_step = 0
        !$omp parallel do schedule(static) private(i) reduction(max: one_step)
        do j = 1, n - 1
            do i = 1, n - 1
                after(i, j) = 2 * here(i, j) - before(i, j) + factor * (here(i - 1, j) + here(i + 1, j) &
                    + here(i, j - 1) + here(i, j + 1) - 4 * here(i, j))
                one_step = max(one_step, abs(after(i, j)))
            end do
        end do
        !$omp end parallel do
    end function
end program
