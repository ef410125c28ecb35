! SPDX-License-Identifier: Apache-2.0
! As layouts.cc, for Fortran: a lock is an integer.
module layouts
    implicit none
    integer, parameter :: omp_lock_kind = 4
    type :: cell
        character(len=5) :: name
        integer(omp_lock_kind) :: lock
    end type
    type :: grid_type
        real(8) :: first
        type(cell) :: cells(2, -1:1)
    end type
    type(grid_type), target, save :: grid
    integer, parameter :: grid_line = __LINE__ - 1
end module

program main
    use layouts
    implicit none

    print '(a,i0,a,i0)', 'grid%cells(2,0)%lock|', &
        loc(grid%cells(2, 0)%lock) - loc(grid), '|integer(kind=4)|', grid_line
    print '(a,i0,a,i0)', 'grid%cells(1,-1)%lock|', &
        loc(grid%cells(1, -1)%lock) - loc(grid), '|integer(kind=4)|', grid_line
    print '(a,i0)', 'size|cell|', storage_size(grid%cells) / 8
    print '(a,i0)', 'size|grid_type|', storage_size(grid) / 8
end program
