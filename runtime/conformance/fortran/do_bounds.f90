! SPDX-License-Identifier: Apache-2.0
! Loop bounds, steps and index kinds of the do construct, in every schedule (Fortran 2018, 11.1.7.4; OpenMP 5.2, 4.4.1).
#include "check.h"
program do_bounds
  use omp_lib
  use checks
  implicit none
  integer(8), parameter :: far = 2_8 ** 40
  integer, parameter :: top = huge(1)
  integer :: i, n, low, high, step, trips
  integer(8) :: j, total, low8, high8
  integer(1) :: b
  integer(2) :: w
  integer :: ends(3, 6)
  integer :: k

  call testcase('no iterations')
  n = 0
  low = 5
  high = 4
  !$omp parallel do reduction(+: n)
  do i = low, high
    n = n + 1
  end do
  !$omp parallel do schedule(dynamic) reduction(+: n)
  do i = low, high
    n = n + 1
  end do
  !$omp parallel do schedule(guided) reduction(+: n)
  do i = high, low, -1
    n = n + 1
  end do
  CHECK_EQ(n, 0)

#ifndef NO_EMPTY_CHUNKED
  call testcase('no iterations, static with a chunk')
  n = 0
  low = 5
  high = 4
  !$omp parallel do schedule(static, 2) reduction(+: n)
  do i = low, high
    n = n + 1
  end do
  !$omp parallel do schedule(static, 2) reduction(+: n)
  do i = high, low, -1
    n = n + 1
  end do
  CHECK_EQ(n, 0)
#endif

  call testcase('steps that do not divide, up and down')
  ends = reshape([1, 100, 7, 100, 1, -7, -13, 13, 5, 13, -13, -5, 3, 3, 9, 0, -9, -2], [3, 6])
  do k = 1, 6
    low = ends(1, k)
    high = ends(2, k)
    step = ends(3, k)
    trips = 0
    total = 0
    do i = low, high, step
      trips = trips + 1
      total = total + i
    end do
    n = 0
    j = 0
    !$omp parallel do schedule(static) reduction(+: n, j)
    do i = low, high, step
      n = n + 1
      j = j + i
    end do
    CHECK_EQ(n, trips)
    CHECK_EQ(j, total)
    n = 0
    j = 0
    !$omp parallel do schedule(static, 2) reduction(+: n, j)
    do i = low, high, step
      n = n + 1
      j = j + i
    end do
    CHECK_EQ(n, trips)
    CHECK_EQ(j, total)
    n = 0
    j = 0
    !$omp parallel do schedule(dynamic, 2) reduction(+: n, j)
    do i = low, high, step
      n = n + 1
      j = j + i
    end do
    CHECK_EQ(n, trips)
    CHECK_EQ(j, total)
    n = 0
    j = 0
    !$omp parallel do schedule(guided) reduction(+: n, j)
    do i = low, high, step
      n = n + 1
      j = j + i
    end do
    CHECK_EQ(n, trips)
    CHECK_EQ(j, total)
  end do

  call testcase('bounds near the limits of the default kind')
  n = 0
  total = 0
  !$omp parallel do schedule(dynamic, 3) reduction(+: n, total)
  do i = top - 20, top - 1
    n = n + 1
    total = total + (top - i)
  end do
  CHECK_EQ(n, 20)
  CHECK_EQ(total, 210_8)
  n = 0
  !$omp parallel do schedule(static, 3) reduction(+: n)
  do i = top - 20, top - 1, 6
    n = n + 1
  end do
  CHECK_EQ(n, 4)
  n = 0
  !$omp parallel do schedule(guided) reduction(+: n)
  do i = -top, -top + 20, 4
    n = n + 1
  end do
  CHECK_EQ(n, 6)
  n = 0
  !$omp parallel do schedule(dynamic) reduction(+: n)
  do i = -top + 10, -top + 1, -3
    n = n + 1
  end do
  CHECK_EQ(n, 4)

  call testcase('a step larger than the loop')
  n = 0
  !$omp parallel do schedule(dynamic) reduction(+: n)
  do i = 1, 10, top - 100
    n = n + i
  end do
  CHECK_EQ(n, 1)
  n = 0
  !$omp parallel do schedule(static) reduction(+: n)
  do i = -500000000, 500000000, 700000000
    n = n + 1
  end do
  CHECK_EQ(n, 2)

  call testcase('integer(8) index over far values')
  low8 = far
  high8 = far + 30
  total = 0
  !$omp parallel do schedule(static) reduction(+: total)
  do j = low8, high8, 3
    total = total + (j - far)
  end do
  CHECK_EQ(total, 165_8)
  total = 0
  !$omp parallel do schedule(dynamic, 2) reduction(+: total)
  do j = high8, low8, -3
    total = total + (j - far)
  end do
  CHECK_EQ(total, 165_8)
  total = 0
  !$omp parallel do schedule(guided, 2) reduction(+: total)
  do j = -(2_8 ** 60), -(2_8 ** 60) + far * 11, far
    total = total + 1
  end do
  CHECK_EQ(total, 12_8)
  call omp_set_schedule(omp_sched_dynamic, 4)
  total = 0
  !$omp parallel do schedule(runtime) reduction(+: total)
  do j = -5_8, 5_8
    total = total + j
  end do
  CHECK_EQ(total, 0_8)

  call testcase('integer(8) index near its limits')
  n = 0
  !$omp parallel do schedule(dynamic) reduction(+: n)
  do j = huge(1_8) - 9, huge(1_8) - 1
    n = n + 1
  end do
  CHECK_EQ(n, 9)
  n = 0
  !$omp parallel do schedule(guided) reduction(+: n)
  do j = -huge(1_8) + 9, -huge(1_8) + 1, -1
    n = n + 1
  end do
  CHECK_EQ(n, 9)

  call testcase('small index kinds')
  n = 0
  !$omp parallel do schedule(dynamic, 3) reduction(+: n)
  do b = -100_1, 100_1, 20_1
    n = n + b
  end do
  CHECK_EQ(n, 0)
  n = 0
  !$omp parallel do schedule(static) reduction(+: n)
  do w = 32000_2, 30000_2, -500_2
    n = n + w
  end do
  CHECK_EQ(n, 155000)

  call testcase('bounds and step are evaluated once')
  n = 0
  low = 1
  high = 10
  step = 3
  !$omp parallel do reduction(+: n) shared(low, high, step) schedule(dynamic)
  do i = low, high, step
    n = n + i
    !$omp atomic write
    high = 10
  end do
  CHECK_EQ(n, 22)

  call testcase('one iteration')
  do k = 1, 5
    n = 0
    !$omp parallel do schedule(guided, 4) reduction(+: n)
    do i = k, k
      n = n + i
    end do
    CHECK_EQ(n, k)
  end do
  call finish()
end program do_bounds
