! SPDX-License-Identifier: Apache-2.0
! Target constructs without a device: everything runs on the host and map clauses keep their meaning (OpenMP 5.2, 13).
#include "check.h"
module target_data
  implicit none
  integer :: global = 3
  !$omp declare target (global)
contains
  integer function twice(x)
    integer, intent(in) :: x
    !$omp declare target
    twice = 2 * x
  end function twice
end module target_data

program target_host
  use omp_lib
  use checks
  use target_data
  implicit none
  integer, parameter :: n = 50
  integer :: a(n), b(n), p(n), i, s, x, y, z, w, v, bad
  integer, allocatable :: al(:)
  logical :: host

  call testcase('target: the host, with mapped data')
  host = .false.
  x = 5
  !$omp target map(tofrom: x, host)
  host = omp_is_initial_device()
  x = x + 1
  !$omp end target
  CHECK_EQ(x, 6)
  CHECK(host)

  call testcase('map to, from, alloc of arrays')
  a = [(i, i = 1, n)]
  b = 0
  !$omp target map(to: a) map(from: b)
  do i = 1, n
    b(i) = 2 * a(i)
  end do
  !$omp end target
  CHECK_EQ(sum(b), n * (n + 1))

#ifndef NO_TARGET_FIRSTPRIVATE
  call testcase('firstprivate scalars are not changed')
  y = 9
  s = 0
  !$omp target map(tofrom: s) firstprivate(y)
  y = y + 1
  s = y
  !$omp end target
  CHECK(y == 9 .and. s == 10)
#endif

#ifndef NO_TARGET_IMPLICIT
  call testcase('a scalar without a clause is firstprivate')
  z = 7
  s = 0
  !$omp target map(tofrom: s)
  s = z
  z = 100
  !$omp end target
  CHECK_EQ(s, 7)
  CHECK_EQ(z, 7)
#endif

  call testcase('target data and target update')
  a = 1
  !$omp target data map(tofrom: a)
  !$omp target
  do i = 1, n
    a(i) = a(i) + 1
  end do
  !$omp end target
  !$omp target update from(a)
  CHECK(all(a == 2))
  a = 10
  !$omp target update to(a)
  !$omp target
  do i = 1, n
    a(i) = a(i) + 1
  end do
  !$omp end target
  !$omp end target data
  CHECK(all(a == 11))

  call testcase('target enter data, exit data with an allocatable')
  allocate(al(n))
  al = 4
  !$omp target enter data map(to: al)
  !$omp target map(tofrom: al)
  do i = 1, n
    al(i) = al(i) * 2
  end do
  !$omp end target
  !$omp target exit data map(from: al)
  CHECK(all(al == 8))

#ifndef NO_TARGET_PARALLEL
  call testcase('target parallel do, and with a reduction')
  a = 0
  s = 0
  !$omp target parallel do map(tofrom: a)
  do i = 1, n
    a(i) = a(i) + i
  end do
  !$omp target parallel do map(tofrom: s) reduction(+: s)
  do i = 1, n
    s = s + i
  end do
  CHECK_EQ(sum(a), n * (n + 1) / 2)
  CHECK_EQ(s, n * (n + 1) / 2)
#endif

#ifndef NO_TARGET_TEAMS
  call testcase('target teams distribute parallel do')
  a = 0
  s = 0
  !$omp target teams distribute parallel do map(tofrom: a)
  do i = 1, n
    a(i) = a(i) + i
  end do
  !$omp target teams distribute parallel do map(tofrom: s) reduction(+: s) num_teams(2) thread_limit(2)
  do i = 1, n
    s = s + i
  end do
  !$omp target teams num_teams(2) map(tofrom: x)
  !$omp distribute
  do i = 1, 2
    !$omp atomic
    x = x + 1
  end do
  !$omp end target teams
  CHECK_EQ(sum(a), n * (n + 1) / 2)
  CHECK_EQ(s, n * (n + 1) / 2)
#endif

#ifndef NO_TARGET_DEVICE
  call testcase('if(false), device(n)')
  x = 0
  !$omp target if(.false.) map(tofrom: x)
  x = x + 1
  !$omp end target
  !$omp target device(omp_get_initial_device()) map(tofrom: x)
  x = x + 1
  !$omp end target
  CHECK_EQ(x, 2)
#endif

#ifndef NO_TARGET_NOWAIT
  call testcase('nowait and depend')
  w = 0
  bad = 0
  !$omp parallel
  !$omp single
  !$omp target map(tofrom: w) nowait depend(out: w)
  w = w + 1
  !$omp end target
  !$omp target map(tofrom: w) nowait depend(inout: w)
  w = w * 10
  !$omp end target
  !$omp task depend(in: w)
  if (w /= 10) bad = bad + 1
  !$omp end task
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(w, 10)
  !$omp target enter data map(to: w) nowait depend(inout: w)
  !$omp target exit data map(from: w) nowait depend(inout: w)
  !$omp taskwait
  CHECK_EQ(w, 10)
#endif

  call testcase('declare target')
  x = 0
  !$omp target map(tofrom: x)
  x = twice(4) + global
  global = 30
  !$omp end target
  !$omp target update from(global)
  CHECK_EQ(x, 11)
  CHECK_EQ(global, 30)

#ifndef NO_TARGET_PRIVATE
  call testcase('a parallel region and private arrays inside of target')
  s = 0
  !$omp target map(tofrom: s) private(p)
  p = 1
  !$omp parallel do reduction(+: s)
  do i = 1, n
    s = s + p(i)
  end do
  !$omp end target
  CHECK_EQ(s, n)
#endif

#ifndef NO_TARGET_IN_REDUCTION
  call testcase('in_reduction on target')
  v = 0
  !$omp parallel shared(v)
  !$omp single
  !$omp taskgroup task_reduction(+: v)
  do i = 1, 5
    !$omp target in_reduction(+: v)
    v = v + 2
    !$omp end target
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(v, 10)
#endif
  call finish()
end program target_host
