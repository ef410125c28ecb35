! SPDX-License-Identifier: Apache-2.0
! scope, loop, order(concurrent) and nothing (OpenMP 5.2, 11.2, 11.7, 10.3, 8.4).
#include "check.h"
program scope_loop
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 80
  integer :: a(n), i, j, s, bad, t, m(5, 6)

  t = omp_get_max_threads()
#ifndef NO_SCOPE
  call testcase('scope: every thread executes it, with private data and a reduction')
  s = 0
  bad = 0
  j = 9
  !$omp parallel shared(s, j) reduction(+: bad)
  !$omp scope private(j) reduction(+: s)
  j = omp_get_thread_num()
  s = s + 1
  !$omp end scope
  if (s /= omp_get_num_threads() .or. j /= 9) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(s, t)

  call testcase('scope many times with nowait')
  s = 0
  !$omp parallel private(i) shared(s)
  do i = 1, 20
    !$omp scope
    !$omp atomic
    s = s + 1
    !$omp end scope nowait
  end do
  !$omp end parallel
  CHECK_EQ(s, 20 * t)
#endif

#ifndef NO_LOOP
  call testcase('loop in parallel')
  a = 0
  !$omp parallel shared(a)
  !$omp loop
  do i = 1, n
    a(i) = a(i) + 1
  end do
  !$omp end loop
  !$omp end parallel
  CHECK(all(a == 1))

#ifndef NO_PARALLEL_LOOP
  call testcase('parallel loop with collapse and reduction')
  m = 0
  s = 0
  !$omp parallel loop collapse(2) reduction(+: s)
  do i = 1, 5
    do j = 1, 6
      m(i, j) = m(i, j) + 1
      s = s + i
    end do
  end do
  CHECK(all(m == 1))
  CHECK_EQ(s, 90)
#endif

#ifndef NO_TEAMS_LOOP
  call testcase('teams loop, loop bind(thread)')
  a = 0
  !$omp teams loop
  do i = 1, n
    a(i) = a(i) + 1
  end do
  !$omp loop bind(thread)
  do i = 1, n
    a(i) = a(i) + 1
  end do
  CHECK(all(a == 2))
#endif
#endif

#ifndef NO_ORDER
  call testcase('order(concurrent)')
  a = 0
  !$omp parallel do order(concurrent)
  do i = 1, n
    a(i) = a(i) + 1
  end do
  !$omp simd order(concurrent)
  do i = 1, n
    a(i) = a(i) + 1
  end do
  CHECK(all(a == 2))
#endif

#ifndef NO_NOTHING
  call testcase('nothing')
  !$omp nothing
  CHECK_EQ(t, omp_get_max_threads())
#endif
  call testcase('a loop without a body ends')
  s = 0
  !$omp parallel do reduction(+: s)
  do i = 1, n
  end do
  CHECK_EQ(s, 0)
  call finish()
end program scope_loop
