! SPDX-License-Identifier: Apache-2.0
! The ordered clause and construct without dependences (OpenMP 5.2, 15.10.2).
#include "check.h"
module ordered_sequence
  implicit none
  integer :: next, bad
contains
  subroutine in_order(i)
    integer, intent(in) :: i
    !$omp ordered
    if (i /= next) bad = bad + 1
    next = i + 1
    !$omp end ordered
  end subroutine in_order
end module ordered_sequence

program do_ordered
  use omp_lib
  use checks
  use ordered_sequence
  implicit none
  integer :: i, list(100), filled

  call testcase('static, dynamic, guided, chunked: iterations in order')
  next = 1
  bad = 0
  !$omp parallel do ordered schedule(static)
  do i = 1, 60
    call in_order(i)
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(next, 61)
  next = 1
  !$omp parallel do ordered schedule(dynamic)
  do i = 1, 60
    call in_order(i)
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(next, 61)
  next = 1
  !$omp parallel do ordered schedule(guided, 2)
  do i = 1, 60
    call in_order(i)
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(next, 61)
  next = 1
  !$omp parallel do ordered schedule(static, 3)
  do i = 1, 60
    call in_order(i)
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(next, 61)
  call omp_set_schedule(omp_sched_guided, 3)
  next = 1
  !$omp parallel do ordered schedule(runtime)
  do i = 1, 60
    call in_order(i)
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(next, 61)

  call testcase('the construct in the loop itself, with the threads clause')
  filled = 0
  !$omp parallel do ordered schedule(dynamic, 4) shared(list, filled)
  do i = 1, 100
    !$omp ordered threads
    filled = filled + 1
    list(filled) = i
    !$omp end ordered
  end do
  CHECK_EQ(filled, 100)
  CHECK(all(list == [(i, i = 1, 100)]))

  call testcase('iterations that do not enter the ordered region are passed by')
  filled = 0
  !$omp parallel do ordered schedule(dynamic) shared(list, filled)
  do i = 1, 100
    if (mod(i, 3) == 0) then
      !$omp ordered
      filled = filled + 1
      list(filled) = i
      !$omp end ordered
    end if
  end do
  CHECK_EQ(filled, 33)
  CHECK(all(list(1:33) == [(3 * i, i = 1, 33)]))

  call testcase('a loop downwards')
  filled = 0
  !$omp parallel do ordered schedule(dynamic, 2) shared(list, filled)
  do i = 50, 1, -1
    !$omp ordered
    filled = filled + 1
    list(filled) = i
    !$omp end ordered
  end do
  CHECK(all(list(1:50) == [(51 - i, i = 1, 50)]))

  call testcase('ordered loops one after another with nowait')
  bad = 0
  filled = 0
  next = 1
  !$omp parallel private(i)
  !$omp do ordered schedule(dynamic)
  do i = 1, 30
    call in_order(i)
  end do
  !$omp end do
  !$omp single
  next = 31
  !$omp end single
  !$omp do ordered schedule(static, 1)
  do i = 31, 60
    call in_order(i)
  end do
  !$omp end do nowait
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(next, 61)

  call testcase('integer(8) index')
  call long_loop(list, filled)
  CHECK_EQ(filled, 25)
  CHECK(all(list(1:25) == [(i, i = 0, 24)]))

  call testcase('a do with ordered outside of any parallel region')
  filled = 0
  !$omp do ordered schedule(dynamic)
  do i = 1, 10
    !$omp ordered
    filled = filled + i
    !$omp end ordered
  end do
  !$omp end do
  CHECK_EQ(filled, 55)
  call finish()

contains

  subroutine long_loop(to, n)
    integer, intent(inout) :: to(:), n
    integer(8) :: k
    n = 0
    !$omp parallel do ordered schedule(dynamic, 2)
    do k = 2_8 ** 35, 2_8 ** 35 + 24
      !$omp ordered
      n = n + 1
      to(n) = int(k - 2_8 ** 35)
      !$omp end ordered
    end do
  end subroutine long_loop
end program do_ordered
