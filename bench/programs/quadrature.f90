! SPDX-License-Identifier: Apache-2.0
!> Adaptive integration by tasks: an interval whose two halves disagree with it (Simpson) is divided, the left
!> half in a new task. A task's own work takes a tenth of a microsecond, and where the function has peaks, the
!> tree is deep.
!>
!> usage: quadrature [SIZE] [REPEATS]      as the programs of program.h; SIZE peaks
!>
!> The check: the integral of a peak w / (w^2 + (x - c)^2) is known, a difference of arc tangents.
program quadrature
    use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
    implicit none
    real(real64), parameter :: width = 1e-4_real64
    integer :: peaks, repeats, i
    real(real64) :: took, total = 0

    peaks = argument(1, 12)
    repeats = argument(2, 30)
    if (peaks < 1 .or. repeats < 1) error stop 64
    do i = 1, repeats
        took = integrate()
        if (took < 0) then
            write (error_unit, '(a)') 'quadrature: the result is wrong'
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

    pure real(real64) function centre(k)
        integer, intent(in) :: k
        centre = modulo(k * 0.6180339887498949_real64, 1.0_real64)
    end function

    pure real(real64) function f(x)
        real(real64), intent(in) :: x
        integer :: k
        f = 0
        do k = 1, peaks
            f = f + width / (width**2 + (x - centre(k))**2)
        end do
    end function

    pure real(real64) function simpson(a, b)
        real(real64), intent(in) :: a, b
        simpson = (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))
    end function

    recursive subroutine divide(a, b, whole, tolerance, total)
        real(real64), intent(in) :: a, b, whole, tolerance
        real(real64), intent(out) :: total
        real(real64) :: middle, left, right, left_total, right_total
        middle = (a + b) / 2
        left = simpson(a, middle)
        right = simpson(middle, b)
        if (abs(left + right - whole) < tolerance) then
            total = left + right
            return
        end if
        !$omp task shared(left_total) firstprivate(a, middle, left, tolerance)
        call divide(a, middle, left, tolerance / 2, left_total)
        !$omp end task
        call divide(middle, b, right, tolerance / 2, right_total)
        !$omp taskwait
        total = left_total + right_total
    end subroutine

    !> The seconds it took, or less than 0.
    real(real64) function integrate()
        real(real64) :: start, found, known
        integer :: k
        start = seconds()
        !$omp parallel
        !$omp single
        call divide(0.0_real64, 1.0_real64, simpson(0.0_real64, 1.0_real64), 1e-8_real64, found)
        !$omp end single
        !$omp end parallel
        integrate = seconds() - start
        known = sum([(atan((1 - centre(k)) / width) + atan(centre(k) / width), k = 1, peaks)])
        if (.not. abs(found - known) < 1e-6_real64) integrate = -1
    end function
end program
