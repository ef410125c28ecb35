! SPDX-License-Identifier: Apache-2.0
! Combined constructs and several constructs in one region (OpenMP 5.2, 17).
#include "check.h"
program combined
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 90
  integer :: a(n), b(n), i, s, k, bad, first
  integer :: sec(3)

  call testcase('parallel do with all sorts of clauses')
  s = 1
  k = 7
  first = 0
  bad = 0
  !$omp parallel do if(.true.) num_threads(3) default(none) shared(a) firstprivate(k) lastprivate(first) &
  !$omp& reduction(+: s) reduction(+: bad) schedule(dynamic, 4)
  do i = 1, n
    a(i) = i
    s = s + 1
    first = i
    if (k /= 7) bad = bad + 1
  end do
  !$omp end parallel do
  CHECK_EQ(s, n + 1)
  CHECK_EQ(first, n)
  CHECK_EQ(bad, 0)
  CHECK_EQ(sum(a), n * (n + 1) / 2)

  call testcase('continuation lines and the conditional compilation sentinel')
  s = 0
  !$ s = 5
  CHECK_EQ(s, 5)
  !$omp parallel &
  !$omp   num_threads(2) &
  !$omp   reduction(+: s)
  s = s + 1
  !$omp end parallel
  CHECK_EQ(s, 7)

  call testcase('parallel sections and parallel workshare together')
  sec = 0
  !$omp parallel sections num_threads(2) shared(sec)
  !$omp section
  sec(1) = 1
  !$omp section
  sec(2) = 2
  !$omp section
  sec(3) = 3
  !$omp end parallel sections
  !$omp parallel workshare shared(a, b)
  b = a * 2
  !$omp end parallel workshare
  CHECK_EQ(sum(sec), 6)
  CHECK_EQ(sum(b), n * (n + 1))

  call testcase('all worksharing constructs in one region, some with nowait')
  a = 0
  b = 0
  s = 0
  k = 0
  bad = 0
  !$omp parallel shared(a, b, s, k) private(i) reduction(+: bad)
  !$omp do schedule(static)
  do i = 1, n
    a(i) = i
  end do
  !$omp end do nowait
  !$omp single
  !$omp atomic
  s = s + 1
  !$omp end single nowait
  !$omp sections
  !$omp section
  !$omp atomic
  s = s + 10
  !$omp section
  !$omp atomic
  s = s + 100
  !$omp end sections
  !$omp master
  k = 1
  !$omp end master
  !$omp critical
  k = k
  !$omp end critical
  !$omp workshare
  b = a
  !$omp end workshare
  if (sum(b) /= n * (n + 1) / 2) bad = bad + 1
  if (s /= 111) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(k, 1)

  call testcase('orphaned worksharing in procedures, a region for each call')
  s = 0
  do k = 1, 8
    call region(s)
  end do
  CHECK_EQ(s, 8 * 55)

  call testcase('stop of nothing: exit, cycle and return inside of the structured block')
  s = 0
  !$omp parallel do reduction(+: s)
  do i = 1, n
    if (mod(i, 2) == 0) cycle
    inner: do k = 1, 10
      if (k > 3) exit inner
      s = s + 1
    end do inner
  end do
  CHECK_EQ(s, 45 * 3)

  call testcase('select, associate and block inside of a region')
  s = 0
  !$omp parallel do reduction(+: s) private(k)
  do i = 1, n
    select case (mod(i, 3))
    case (0)
      k = 1
    case (1)
      k = 2
    case default
      k = 3
    end select
    block
      integer :: twice
      twice = 2 * k
      s = s + twice
    end block
  end do
  CHECK_EQ(s, 30 * 12)

#ifndef NO_PARALLEL_MASKED_TASKLOOP
  call testcase('parallel masked taskloop')
  a = 0
  !$omp parallel masked taskloop shared(a)
  do i = 1, n
    a(i) = a(i) + 1
  end do
  CHECK(all(a == 1))
#endif

#ifndef NO_MASKED_TASKLOOP_SIMD
  call testcase('parallel masked taskloop simd')
  a = 0
  !$omp parallel masked taskloop simd shared(a)
  do i = 1, n
    a(i) = a(i) + 1
  end do
  CHECK(all(a == 1))
#endif
  call finish()

contains

  subroutine region(total)
    integer, intent(inout) :: total
    integer :: part
    part = 0
    !$omp parallel shared(part)
    call work(part)
    !$omp end parallel
    total = total + part
  end subroutine region

  subroutine work(part)
    integer, intent(inout) :: part
    integer :: j
    !$omp do schedule(dynamic)
    do j = 1, 10
      !$omp atomic
      part = part + j
    end do
    !$omp end do nowait
  end subroutine work
end program combined
