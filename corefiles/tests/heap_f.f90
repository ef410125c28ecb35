! SPDX-License-Identifier: Apache-2.0
! Locks in allocated memory of a Fortran program: [address, expression] of each, one line of JSON, then it waits in read.
module cells
  use iso_c_binding
  implicit none
  integer, parameter :: omp_lock_kind = 4
  type grid
    integer :: size
    integer(omp_lock_kind), allocatable :: locks(:)
    integer(omp_lock_kind) :: guard
    type(grid), pointer :: next
  end type
  integer(omp_lock_kind), allocatable, target :: row(:), plane(:, :)
  integer(omp_lock_kind), pointer :: one, some(:)
  type(grid), allocatable, target :: grids(:)
  type(grid), pointer :: first
contains
  subroutine give(part)
    integer(omp_lock_kind), pointer, intent(out) :: part(:)
    integer(omp_lock_kind), pointer :: whole(:)
    allocate (whole(30))
    whole = 0
    part => whole(1:30:3)
  end subroutine
  subroutine say(address, text, comma)
    type(c_ptr), intent(in) :: address
    character(*), intent(in) :: text, comma
    write (*, '(a,i0,a)', advance='no') '[', transfer(address, 0_c_intptr_t), ', "'//text//'"]'//comma
  end subroutine
end module

program heap_f
  use cells
  implicit none
  allocate (row(50), plane(-2:4, 5), one, grids(0:9), first)
  allocate (grids(3)%locks(7), first%locks(40:60), first%next)
  row = 0; plane = 0; one = 0; first%locks = 0
  ! Every third element of what nobody else leads to: side by side they do not lie.
  call give(some)
  write (*, '(a)', advance='no') '{"names": ['
  call say(c_loc(row(17)), 'cells::row(17)', ', ')
  call say(c_loc(plane(-1, 3)), 'cells::plane(-1,3)', ', ')
  call say(c_loc(one), 'cells::one', ', ')
  call say(c_loc(grids(3)%locks(7)), 'cells::grids(3)%locks(7)', ', ')
  call say(c_loc(grids(9)%guard), 'cells::grids(9)%guard', ', ')
  call say(c_loc(first%locks(41)), 'cells::first%locks(41)', ', ')
  call say(c_loc(some(2)), '', ', ')
  call say(c_loc(first%next%guard), 'cells::first%next%guard', '')
  write (*, '(a)') ']}'
  flush (6)
  read (*, *)
  write (*, *) row, plane, one
end program
