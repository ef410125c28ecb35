! SPDX-License-Identifier: Apache-2.0
! The workshare construct (OpenMP 5.2, 11.4).
#include "check.h"
program workshare
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 60
  integer :: a(n), b(n), c(n), i, total, calls, s
  integer :: m(8, 9), mt(9, 8)
  real(8) :: r(n), q(n), d
  logical :: mask(n)

  call testcase('array assignments: a later statement sees the results of an earlier one')
  b = [(i, i = 1, n)]
  !$omp parallel shared(a, b, c)
  !$omp workshare
  a = b
  c = a * 2 + 1
  a(2:n) = c(1:n-1)
  !$omp end workshare
  !$omp end parallel
  CHECK(all(c == [(2 * i + 1, i = 1, n)]))
  CHECK_EQ(a(1), 1)
  CHECK(all(a(2:n) == [(2 * i + 1, i = 1, n - 1)]))

  call testcase('scalar assignment once')
  s = 0
  !$omp parallel shared(s)
  !$omp workshare
  s = s + 1
  !$omp end workshare
  !$omp end parallel
  CHECK_EQ(s, 1)

  call testcase('where and elsewhere')
  !$omp parallel shared(a, b)
  !$omp workshare
  where (mod(b, 3) == 0)
    a = -b
  elsewhere (mod(b, 3) == 1)
    a = 0
  elsewhere
    a = b
  end where
  !$omp end workshare
  !$omp end parallel
  CHECK(all(a(3:n:3) == -b(3:n:3)))
  CHECK(all(a(1:n:3) == 0))
  CHECK(all(a(2:n:3) == b(2:n:3)))

  call testcase('forall')
  !$omp parallel shared(m, mt)
  !$omp workshare
  forall (i = 1:8) m(i, :) = i
  forall (i = 1:9)
    mt(i, :) = m(:, i) * i
  end forall
  !$omp end workshare
  !$omp end parallel
  CHECK_EQ(sum(m), 9 * 36)
  CHECK_EQ(sum(mt), 36 * 45)

  call testcase('transformational functions')
  r = 0.5d0
  q = 2
  !$omp parallel shared(r, q, d, total, mask, b, mt, m)
  !$omp workshare
  d = dot_product(r, q)
  total = sum(b)
  mask = b > 10
  mt = transpose(m)
  !$omp end workshare
  !$omp end parallel
  CHECK(d == dble(n))
  CHECK_EQ(total, n * (n + 1) / 2)
  CHECK_EQ(count(mask), n - 10)
  CHECK(all(mt == transpose(m)))

  call testcase('parallel workshare')
  !$omp parallel workshare shared(a, b)
  a = b + 5
  !$omp end parallel workshare
  CHECK(all(a == b + 5))

  call testcase('nowait, many times')
  c = 0
  !$omp parallel private(i) shared(c, a)
  do i = 1, 20
    !$omp workshare
    c = c + 1
    !$omp end workshare
    !$omp workshare
    a = i
    !$omp end workshare nowait
    !$omp barrier
  end do
  !$omp end parallel
  CHECK(all(c == 20))
  CHECK(all(a == 20))

  call testcase('atomic and critical inside')
  total = 1
  calls = 1
  !$omp parallel shared(total, calls)
  !$omp workshare
  !$omp atomic update
  total = total + 4
  !$omp critical
  calls = calls + 2
  !$omp end critical
  !$omp end workshare
  !$omp end parallel
  CHECK_EQ(total, 5)
  CHECK_EQ(calls, 3)

#ifndef NO_WORKSHARE_PARALLEL
  call testcase('a parallel construct inside')
  s = 0
  !$omp parallel workshare shared(s)
  !$omp parallel num_threads(2) shared(s)
  !$omp atomic
  s = s + 1
  !$omp end parallel
  !$omp end parallel workshare
  CHECK(s == 1 .or. s == 2)
#endif
  call finish()
end program workshare
