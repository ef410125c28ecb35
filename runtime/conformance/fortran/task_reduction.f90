! SPDX-License-Identifier: Apache-2.0
! task_reduction, in_reduction and the task modifier of reduction (OpenMP 5.2, 5.5.9 to 5.5.11).
#include "check.h"
program task_reduction
  use omp_lib
  use checks
  implicit none
  integer :: s, p, k, hi, a(4), t
  integer(8) :: w
  real(8) :: r
  logical :: l

  t = omp_get_max_threads()
  call testcase('taskgroup with task_reduction, tasks with in_reduction')
  s = 7
  !$omp parallel shared(s)
  !$omp single
  !$omp taskgroup task_reduction(+: s)
  do k = 1, 40
    !$omp task in_reduction(+: s) firstprivate(k)
    s = s + k
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 7 + 820)

#ifndef NO_TASK_REDUCTION_MAX
  call testcase('several operators and types')
  s = 0
  p = 1
  hi = -5
  r = 0.5d0
  w = 0
  l = .true.
  !$omp parallel shared(s, p, hi, r, w, l)
  !$omp single
  !$omp taskgroup task_reduction(+: s, r, w) task_reduction(*: p) task_reduction(max: hi) task_reduction(.and.: l)
  do k = 1, 20
    !$omp task in_reduction(+: s, r, w) in_reduction(*: p) in_reduction(max: hi) in_reduction(.and.: l) firstprivate(k)
    s = s + 1
    r = r + 0.25d0
    w = w + 2_8 ** 33
    if (mod(k, 5) == 0) p = p * 3
    hi = max(hi, k)
    l = l .and. k < 20
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 20)
  CHECK(r == 5.5d0)
  CHECK_EQ(w, 20 * 2_8 ** 33)
  CHECK_EQ(p, 81)
  CHECK_EQ(hi, 20)
  CHECK(.not. l)
#endif

#ifndef NO_TASK_REDUCTION_ARRAY
  call testcase('an array')
  a = 1
  !$omp parallel shared(a)
  !$omp single
  !$omp taskgroup task_reduction(+: a)
  do k = 1, 40
    !$omp task in_reduction(+: a) firstprivate(k)
    a(1 + mod(k, 4)) = a(1 + mod(k, 4)) + k
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(sum(a), 824)
#endif

  call testcase('tasks of tasks take part')
  s = 0
  !$omp parallel shared(s)
  !$omp single
  !$omp taskgroup task_reduction(+: s)
  do k = 1, 10
    !$omp task in_reduction(+: s) firstprivate(k)
    s = s + k
    !$omp task in_reduction(+: s) firstprivate(k)
    s = s + 100 * k
    !$omp end task
    !$omp taskwait
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 55 * 101)

  call testcase('nested groups, the inner with a reduction of its own')
  s = 0
  p = 0
  !$omp parallel shared(s, p)
  !$omp single
  !$omp taskgroup task_reduction(+: s)
  !$omp taskgroup task_reduction(+: p)
  do k = 1, 10
    !$omp task in_reduction(+: s) in_reduction(+: p)
    s = s + 1
    p = p + 2
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 10)
  CHECK_EQ(p, 20)

#ifndef NO_REDUCTION_TASK
  call testcase('reduction(task, +) on parallel: threads and tasks')
  s = 1000
  !$omp parallel reduction(task, +: s) private(k)
  s = s + 1
  do k = 1, 5
    !$omp task in_reduction(+: s)
    s = s + 10
    !$omp end task
  end do
  !$omp end parallel
  CHECK_EQ(s, 1000 + 51 * t)

  call testcase('reduction(task, +) on do')
  s = 0
  !$omp parallel shared(s)
  !$omp do reduction(task, +: s)
  do k = 1, 20
    s = s + 1
    !$omp task in_reduction(+: s)
    s = s + 5
    !$omp end task
  end do
  !$omp end do
  !$omp end parallel
  CHECK_EQ(s, 120)

  call testcase('reduction(task, +) on sections')
  s = 0
  !$omp parallel sections reduction(task, +: s)
  s = s + 1
  !$omp task in_reduction(+: s)
  s = s + 10
  !$omp end task
  !$omp section
  !$omp task in_reduction(+: s)
  s = s + 100
  !$omp end task
  !$omp end parallel sections
  CHECK_EQ(s, 111)
#endif

  call testcase('a group outside of a region, tasks that are not deferred')
  s = 0
  !$omp taskgroup task_reduction(+: s)
  do k = 1, 5
    !$omp task in_reduction(+: s) if(.false.)
    s = s + k
    !$omp end task
  end do
  !$omp end taskgroup
  CHECK_EQ(s, 15)
  call finish()
end program task_reduction
