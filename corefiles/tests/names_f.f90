! SPDX-License-Identifier: Apache-2.0
! A Fortran program that knows where its module variables and array elements lie: one line of JSON, then it waits for
! a line of input.
module box
  use iso_c_binding
  implicit none
  integer, parameter :: omp_lock_kind = c_long
  type cell
    integer :: filler
    integer(omp_lock_kind) :: locks(2:5)
  end type
  integer(omp_lock_kind), target :: guard
  integer(omp_lock_kind), target :: row(8)
  integer(omp_lock_kind), target :: plane(-1:2, 3)
  type(cell), target :: cells(4)
contains
  subroutine say(address, text, comma)
    type(c_ptr), intent(in) :: address
    character(*), intent(in) :: text, comma
    write (*, '(a,i0,4a)', advance='no') '[', transfer(address, 0_c_intptr_t), ', "variable", "', text, '"]', comma
  end subroutine
end module

program names_f
  use box
  implicit none
  integer(omp_lock_kind), target, save :: own(3)
  guard = 0; row = 0; plane = 0; own = 0
  write (*, '(a)', advance='no') '{"names": ['
  call say(c_loc(guard), 'box::guard', ', ')
  call say(c_loc(row(6)), 'box::row(6)', ', ')
  call say(c_loc(row(1)), 'box::row(1)', ', ')
  call say(c_loc(plane(1, 2)), 'box::plane(1,2)', ', ')
  call say(c_loc(cells(3)%locks(4)), 'box::cells(3)%locks(4)', ', ')
  call say(c_loc(own(2)), 'own(2)', '')
  write (*, '(a)') ']}'
  flush (6)
  read (*, *)
  write (*, *) guard, row, plane, own
end program
