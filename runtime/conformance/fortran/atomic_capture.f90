! SPDX-License-Identifier: Apache-2.0
! Atomic capture and compare: every value is taken exactly once (OpenMP 5.2, 15.8.4).
#include "check.h"
program atomic_capture
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 400
  integer :: x, v, k, bad, taken(0:2 * n), best
  integer(8) :: w, u
  integer(2) :: h, g
  real(8) :: r, s
  logical :: flag, was

  call testcase('v = x before the update: a counter')
  x = 0
  taken = 0
  !$omp parallel do shared(x, taken) private(v)
  do k = 1, n
    !$omp atomic capture
    v = x
    x = x + 1
    !$omp end atomic
    !$omp atomic
    taken(v) = taken(v) + 1
  end do
  CHECK_EQ(x, n)
  CHECK(all(taken(0:n-1) == 1))
  CHECK(all(taken(n:) == 0))

  call testcase('v = x after the update')
  x = 0
  taken = 0
  !$omp parallel do shared(x, taken) private(v) schedule(dynamic)
  do k = 1, n
    !$omp atomic capture
    x = x + 2
    v = x
    !$omp end atomic
    !$omp atomic
    taken(v) = taken(v) + 1
  end do
  CHECK_EQ(x, 2 * n)
  CHECK(all(taken(2:2*n:2) == 1))
  CHECK(all(taken(1:2*n:2) == 0))

  call testcase('kinds 2 and 8')
  h = 0
  w = 2_8 ** 45
  bad = 0
  !$omp parallel do shared(h, w) private(g, u) reduction(+: bad)
  do k = 1, n
    !$omp atomic capture
    g = h
    h = h + 1_2
    !$omp end atomic
    if (g < 0 .or. g >= n) bad = bad + 1
    !$omp atomic capture
    w = w - 1
    u = w
    !$omp end atomic
    if (u >= 2_8 ** 45 .or. u < 2_8 ** 45 - n) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(int(h), n)
  CHECK_EQ(w, 2_8 ** 45 - n)

  call testcase('real')
  r = 0
  bad = 0
  !$omp parallel do shared(r) private(s) reduction(+: bad)
  do k = 1, n
    !$omp atomic capture
    s = r
    r = r + 0.5d0
    !$omp end atomic
    if (s < 0 .or. s >= 0.5d0 * n) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)
  CHECK(r == 0.5d0 * n)

  call testcase('exchange: x = expression, the old value is given to one thread only')
  x = 0
  taken = 0
  !$omp parallel do shared(x, taken) private(v)
  do k = 1, n
    !$omp atomic capture
    v = x
    x = k
    !$omp end atomic
    !$omp atomic
    taken(v) = taken(v) + 1
  end do
  taken(x) = taken(x) + 1
  CHECK(all(taken(0:n) == 1))

  call testcase('operators and intrinsics in the update')
  x = 1
  !$omp atomic capture
  v = x
  x = x * 6
  !$omp end atomic
  CHECK(v == 1 .and. x == 6)
  !$omp atomic capture
  x = 60 / x
  v = x
  !$omp end atomic
  CHECK(v == 10 .and. x == 10)
  !$omp atomic capture
  x = ior(x, 5)
  v = x
  !$omp end atomic
  CHECK(v == 15 .and. x == 15)
  !$omp atomic capture
  v = x
  x = ieor(x, 3)
  !$omp end atomic
  CHECK(v == 15 .and. x == 12)
  !$omp atomic capture
  x = min(x, 4)
  v = x
  !$omp end atomic
  CHECK(v == 4 .and. x == 4)
  !$omp atomic capture
  v = x
  x = 100 - x
  !$omp end atomic
  CHECK(v == 4 .and. x == 96)

  call testcase('max with capture: one thread finds the greatest')
  x = 0
  best = 0
  !$omp parallel do shared(x) private(v) reduction(max: best)
  do k = 1, n
    !$omp atomic capture
    x = max(x, k)
    v = x
    !$omp end atomic
    best = max(best, v)
  end do
  CHECK_EQ(x, n)
  CHECK_EQ(best, n)

  call testcase('logical')
  flag = .false.
  x = 0
  k = 0
  !$omp parallel shared(flag, k) private(was) reduction(+: x)
  !$omp atomic capture
  was = flag
  flag = flag .or. k > -99
  !$omp end atomic
  if (.not. was) x = x + 1
  !$omp end parallel
  CHECK_EQ(x, 1)

  call testcase('orders')
  x = 0
  !$omp parallel do shared(x) private(v)
  do k = 1, n
    !$omp atomic capture seq_cst
    v = x
    x = x + 1
    !$omp end atomic
    !$omp atomic relaxed capture
    x = x - 1
    v = x
    !$omp end atomic
    !$omp atomic capture acq_rel
    v = x
    x = x + 1
    !$omp end atomic
  end do
  CHECK_EQ(x, n)

#ifndef NO_ATOMIC_COMPARE
  call testcase('compare: assignment if equal')
  x = 7
  !$omp atomic compare
  if (x == 7) then
    x = 8
  end if
  !$omp atomic compare
  if (x == 7) then
    x = 9
  end if
  CHECK_EQ(x, 8)

  call testcase('compare and capture: one winner')
  x = -1
  bad = 0
  !$omp parallel shared(x) private(v) reduction(+: bad)
  !$omp atomic compare capture
  v = x
  if (x == -1) then
    x = omp_get_thread_num()
  end if
  !$omp end atomic
  if (v == -1) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 1)
  CHECK(x >= 0)
#endif
  call finish()
end program atomic_capture
