! SPDX-License-Identifier: Apache-2.0
! A critical construct of Fortran and a mutex of a library in C, in the wrong order.
module grid
  use say_in_fortran
  implicit none
  integer(c_int) :: held(2) = 0, tid(2) = 0

  interface
    subroutine table_lock() bind(c)
    end subroutine
    subroutine table_unlock() bind(c)
    end subroutine
  end interface

contains

  subroutine smooth()
    !$omp critical (rows)
    tid(1) = say_tid()
    call say_set(held(1), 1)
    call say_await(held(2), 1)
    call says(0, "mutex", "futex", "'call':'pthread_mutex_lock','name':'table'", tid(2))
    call table_lock()
    call table_unlock()
    !$omp end critical (rows)
  end subroutine

  subroutine refine()
    call table_lock()
    tid(2) = say_tid()
    call say_set(held(2), 1)
    call say_await(held(1), 1)
    call says(0, "openmp", "futex", "'wait':'critical','name':'rows'", tid(1))
    !$omp critical (rows)
    call say_after()
    !$omp end critical (rows)
    call table_unlock()
  end subroutine
end module

program f_mutex
  use omp_lib
  use grid
  implicit none

  call say_verdict(2, "deadlock"//c_null_char)
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) then
    call smooth()
  else
    call refine()
  end if
  !$omp end parallel
end program
