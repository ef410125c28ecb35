! SPDX-License-Identifier: Apache-2.0
! The collapse clause: nests of two and three loops as one space of iterations (OpenMP 5.2, 4.4.3).
#include "check.h"
program do_collapse
  use omp_lib
  use checks
  implicit none
  integer :: i, j, k, n, bad, teams
  integer :: a(7, 5), c(3, 4, 5), order(24), next, lin
  integer(8) :: wide

  teams = omp_get_max_threads()
  call testcase('two loops: each pair once')
  a = 0
  !$omp parallel do collapse(2)
  do i = 1, 7
    do j = 1, 5
      a(i, j) = a(i, j) + 10 * i + j
    end do
  end do
  bad = 0
  do i = 1, 7
    do j = 1, 5
      if (a(i, j) /= 10 * i + j) bad = bad + 1
    end do
  end do
  CHECK_EQ(bad, 0)

  call testcase('three loops, dynamic and guided')
  c = 0
  !$omp parallel do collapse(3) schedule(dynamic, 4)
  do i = 1, 3
    do j = 1, 4
      do k = 1, 5
        c(i, j, k) = c(i, j, k) + 1
      end do
    end do
  end do
  !$omp parallel do collapse(3) schedule(guided)
  do i = 1, 3
    do j = 1, 4
      do k = 1, 5
        c(i, j, k) = c(i, j, k) + 1
      end do
    end do
  end do
  CHECK(all(c == 2))

  call testcase('steps, negative and not dividing')
  n = 0
  !$omp parallel do collapse(2) reduction(+: n) schedule(static, 3)
  do i = 10, 1, -4
    do j = -3, 9, 5
      n = n + 100 * i + j
    end do
  end do
  CHECK_EQ(n, 100 * 3 * (10 + 6 + 2) + 3 * (-3 + 2 + 7))

  call testcase('an empty loop at either place')
  n = 0
  !$omp parallel do collapse(2) reduction(+: n) schedule(dynamic)
  do i = 1, 0
    do j = 1, 5
      n = n + 1
    end do
  end do
  !$omp parallel do collapse(2) reduction(+: n)
  do i = 1, 5
    do j = 5, 1
      n = n + 1
    end do
  end do
  CHECK_EQ(n, 0)

  call testcase('the logical order is that of the nest: static chunks of it')
  order = -1
  !$omp parallel do collapse(2) schedule(static, 6) private(lin)
  do i = 0, 3
    do j = 0, 5
      lin = 6 * i + j + 1
      order(lin) = omp_get_thread_num()
    end do
  end do
  bad = 0
  do i = 1, 24
    if (order(i) /= mod((i - 1) / 6, teams)) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)

  call testcase('lastprivate with collapse: the values of the last iteration')
  n = -1
  !$omp parallel do collapse(2) lastprivate(n, i, j) schedule(dynamic)
  do i = 1, 6
    do j = 2, 9, 3
      n = 100 * i + j
    end do
  end do
  CHECK_EQ(n, 608)
  CHECK_EQ(i, 7)
  CHECK_EQ(j, 11)

  call testcase('ordered over a collapsed nest')
  next = 0
  bad = 0
  !$omp parallel do collapse(2) ordered schedule(dynamic) shared(next, bad)
  do i = 0, 3
    do j = 0, 4
      !$omp ordered
      if (next /= 5 * i + j) bad = bad + 1
      next = next + 1
      !$omp end ordered
    end do
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(next, 20)

  call testcase('index kinds of different sizes')
  wide = 0
  call mixed(wide)
  CHECK_EQ(wide, 6_8 * 5 * 2_8 ** 33 + 5_8 * 21)

  call testcase('an inner loop that is not collapsed has a private index')
  n = 0
  !$omp parallel do collapse(2) reduction(+: n)
  do i = 1, 4
    do j = 1, 4
      do k = 1, 4
        n = n + k
      end do
    end do
  end do
  CHECK_EQ(n, 160)

#ifndef NO_NONRECTANGULAR
  call testcase('a non-rectangular nest')
  a = 0
  !$omp parallel do collapse(2) schedule(dynamic, 2)
  do i = 1, 5
    do j = i, 5
      a(i, j) = a(i, j) + 1
    end do
  end do
  CHECK_EQ(sum(a), 15)
#endif
  call finish()

contains

  subroutine mixed(total)
    integer(8), intent(inout) :: total
    integer(2) :: x
    integer(8) :: y
    !$omp parallel do collapse(2) reduction(+: total) schedule(dynamic, 3)
    do x = 1_2, 6_2
      do y = 2_8 ** 33, 2_8 ** 33 + 4
        total = total + y - (y - 2_8 ** 33) + x
      end do
    end do
  end subroutine mixed
end program do_collapse
