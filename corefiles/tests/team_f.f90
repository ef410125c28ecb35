! SPDX-License-Identifier: Apache-2.0
! Two threads that stay in a region; what each has is written before.
module work_mod
    implicit none
    type cell
        integer :: value
    end type
contains
    subroutine stay(mine)
        integer, intent(in) :: mine
        integer :: k
        !$omp critical
        write (*, "(i0, 1x, i0)") mine - 1, mine
        flush (6)
        !$omp end critical
        do
            call sleep(1000 + 0 * k)
        end do
    end subroutine
end module

program team_f
    use omp_lib
    use work_mod
    implicit none
    integer :: table(2, 3), i, j
    type(cell) :: cells(3)
    do j = 1, 3
        cells(j)%value = 100 * j
        do i = 1, 2
            table(i, j) = 10 * i + j
        end do
    end do
    !$omp parallel num_threads(2) shared(table, cells)
    call stay(omp_get_thread_num() + 1 + 0 * table(1, 1) + 0 * cells(1)%value)
    !$omp end parallel
end program
