! SPDX-License-Identifier: Apache-2.0
! A thread of a team reads from standard input, and another one waits for it in a critical construct.
module input
  use say_in_fortran
  implicit none
  integer(c_int) :: inside = 0, owner = 0

contains

  subroutine fetch(n)
    integer, intent(out) :: n

    !$omp critical (console)
    owner = say_tid()
    call say_set(inside, 1)
    call says(__LINE__ + 1, "read", "read", "'call':'read','descriptor':0", 0)
    read (*, *) n
    call say_after()
    !$omp end critical (console)
  end subroutine
end module

program f_read
  use omp_lib
  use input
  implicit none
  integer :: n

  call say_verdict(2, "unknown"//c_null_char)
  !$omp parallel num_threads(2) private(n)
  if (omp_get_thread_num() == 1) then
    call say_await(inside, 1)
    call says(0, "openmp", "futex", "'wait':'critical','name':'console'", owner)
  end if
  call fetch(n)
  !$omp end parallel
end program
