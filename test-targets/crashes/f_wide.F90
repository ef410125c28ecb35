! SPDX-License-Identifier: Apache-2.0
! The commonest crash of OpenMP programs in Fortran: an array in a subroutine is larger than a worker's stack.
program f_wide
    use omp_lib
    implicit none
    integer :: rows

    rows = 1000
    !$omp parallel num_threads(3)
    if (omp_get_thread_num() == 2) call smooth(rows)
    !$omp barrier
    !$omp end parallel

contains

    subroutine smooth(n)
        integer, intent(in) :: n
        real(8) :: work(2000000)

        work(1:n) = real(n, 8)
        work(size(work)) = work(1) + 1
        print *, work(size(work)), n
    end subroutine smooth
end program f_wide
