! SPDX-License-Identifier: Apache-2.0
! Doacross loops: ordered(n) with depend(sink) and depend(source) (OpenMP 5.0, 2.17.9.2; 5.2, 15.9.7).
#include "check.h"
program do_doacross
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 40, m = 9
  integer :: i, j, k
  integer(8) :: far
  integer :: a(0:n), g(0:m, 0:m), want(0:m, 0:m), c(0:4, 0:4, 0:4)

  call testcase('a chain: each iteration waits for the one before')
  a = 0
  a(0) = 1
  !$omp parallel do ordered(1) shared(a)
  do i = 1, n
    !$omp ordered depend(sink: i - 1)
    a(i) = a(i - 1) + i
    !$omp ordered depend(source)
  end do
  CHECK_EQ(a(n), 1 + n * (n + 1) / 2)

  call testcase('the same with dynamic and guided schedules and chunks')
  a = 0
  a(0) = 1
  !$omp parallel do ordered(1) schedule(dynamic) shared(a)
  do i = 1, n
    !$omp ordered depend(sink: i - 1)
    a(i) = a(i - 1) + i
    !$omp ordered depend(source)
  end do
  CHECK_EQ(a(n), 1 + n * (n + 1) / 2)
  a = 0
  a(0) = 1
  !$omp parallel do ordered(1) schedule(static, 1) shared(a)
  do i = 1, n
    !$omp ordered depend(sink: i - 1)
    a(i) = a(i - 1) + i
    !$omp ordered depend(source)
  end do
  CHECK_EQ(a(n), 1 + n * (n + 1) / 2)
  a = 0
  a(0) = 1
  !$omp parallel do ordered(1) schedule(guided) shared(a)
  do i = 1, n
    !$omp ordered depend(sink: i - 1)
    a(i) = a(i - 1) + i
    !$omp ordered depend(source)
  end do
  CHECK_EQ(a(n), 1 + n * (n + 1) / 2)

  call testcase('a distance of three')
  a = 0
  a(0:2) = [1, 2, 3]
  !$omp parallel do ordered(1) schedule(dynamic) shared(a)
  do i = 3, n
    !$omp ordered depend(sink: i - 3)
    a(i) = a(i - 3) + 1
    !$omp ordered depend(source)
  end do
  CHECK_EQ(a(39), 14)
  CHECK_EQ(a(40), 15)

  call testcase('two loops: a wave front')
  want = 1
  do i = 1, m
    do j = 1, m
      want(i, j) = mod(want(i - 1, j) + want(i, j - 1), 10007)
    end do
  end do
  g = 1
  !$omp parallel do ordered(2) schedule(dynamic) shared(g) private(j)
  do i = 1, m
    do j = 1, m
      !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
      g(i, j) = mod(g(i - 1, j) + g(i, j - 1), 10007)
      !$omp ordered depend(source)
    end do
  end do
  CHECK(all(g == want))

  call testcase('two loops, collapsed and ordered')
  g = 1
  !$omp parallel do collapse(2) ordered(2) shared(g)
  do i = 1, m
    do j = 1, m
      !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
      g(i, j) = mod(g(i - 1, j) + g(i, j - 1), 10007)
      !$omp ordered depend(source)
    end do
  end do
  CHECK(all(g == want))

  call testcase('three loops')
  c = 0
  c(0, :, :) = 1
  !$omp parallel do ordered(3) shared(c) private(j, k)
  do i = 1, 4
    do j = 0, 4
      do k = 0, 4
        !$omp ordered depend(sink: i - 1, j, k)
        c(i, j, k) = c(i - 1, j, k) * 2
        !$omp ordered depend(source)
      end do
    end do
  end do
  CHECK(all(c(4, :, :) == 16))

  call testcase('a loop downwards with a step')
  a = 0
  a(n) = 5
  !$omp parallel do ordered(1) schedule(static, 2) shared(a)
  do i = n - 2, 0, -2
    !$omp ordered depend(sink: i + 2)
    a(i) = a(i + 2) + 1
    !$omp ordered depend(source)
  end do
  CHECK_EQ(a(0), 25)

  call testcase('integer(8) index')
  a = 0
  a(0) = 3
  !$omp parallel do ordered(1) schedule(dynamic, 2) shared(a)
  do far = 2_8 ** 34 + 1, 2_8 ** 34 + n
    !$omp ordered depend(sink: far - 1)
    a(int(far - 2_8 ** 34)) = a(int(far - 2_8 ** 34) - 1) + 2
    !$omp ordered depend(source)
  end do
  CHECK_EQ(a(n), 3 + 2 * n)

  call testcase('only a source, and sinks that lie outside of the space')
  j = 0
  !$omp parallel do ordered(1) reduction(+: j)
  do i = 1, n
    !$omp ordered depend(sink: i - 1000)
    j = j + i
    !$omp ordered depend(source)
  end do
  CHECK_EQ(j, n * (n + 1) / 2)
  call finish()
end program do_doacross
