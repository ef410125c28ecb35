! SPDX-License-Identifier: Apache-2.0
! The taskloop construct (OpenMP 5.2, 12.6).
#include "check.h"
program taskloop
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 120
  integer :: c(n), i, j, s, k, bad, tasks, m(6, 7), who(n)
  integer(8) :: far, total
  logical :: l

  call testcase('each iteration once; the construct waits')
  c = 0
  bad = 0
  !$omp parallel shared(c) reduction(+: bad)
  !$omp single
  !$omp taskloop shared(c)
  do i = 1, n
    c(i) = c(i) + 1
  end do
  !$omp end taskloop
  if (any(c /= 1)) bad = bad + 1
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_TASKLOOP_CHUNKS
  call testcase('grainsize: at least that, less than twice that')
  call pieces(10, s, bad)
  CHECK_EQ(bad, 0)
  call pieces(7, s, bad)
  CHECK_EQ(bad, 0)
  call pieces(n, s, bad)
  CHECK_EQ(bad, 0)
  call pieces(1, s, bad)
  CHECK_EQ(bad, 0)

  call testcase('num_tasks: that many')
  do k = 1, 9
    tasks = 0
    c = 0
    !$omp parallel shared(c, tasks)
    !$omp single
    !$omp taskloop num_tasks(k) shared(c, tasks) firstprivate(j)
    do i = 1, n
      c(i) = 1
    end do
    !$omp end single
    !$omp end parallel
    CHECK(all(c == 1))
  end do
#endif

#ifndef NO_TASKLOOP_STRICT
  call testcase('the strict modifier')
  c = 0
  !$omp parallel shared(c)
  !$omp single
  !$omp taskloop grainsize(strict: 9) shared(c)
  do i = 1, n
    c(i) = c(i) + 1
  end do
  !$omp taskloop num_tasks(strict: 5) shared(c)
  do i = 1, n
    c(i) = c(i) + 1
  end do
  !$omp end single
  !$omp end parallel
  CHECK(all(c == 2))
#endif

#ifndef NO_TASKLOOP_STEPS
  call testcase('steps, downwards, integer(8)')
  s = 0
  total = 0
  !$omp parallel shared(s, total)
  !$omp single
  !$omp taskloop shared(s)
  do i = 50, 1, -7
    !$omp atomic
    s = s + i
  end do
  !$omp taskloop shared(total)
  do far = 2_8 ** 40, 2_8 ** 40 + 30, 3
    !$omp atomic
    total = total + (far - 2_8 ** 40)
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 50 + 43 + 36 + 29 + 22 + 15 + 8 + 1)
  CHECK_EQ(total, 165_8)
#endif

#ifndef NO_TASKLOOP_EMPTY
  call testcase('no iterations')
  s = 0
  k = 4
  !$omp parallel shared(s, k)
  !$omp single
  !$omp taskloop shared(s)
  do i = 5, k
    !$omp atomic
    s = s + 1
  end do
  !$omp taskloop shared(s)
  do i = 5, 6, -1
    !$omp atomic
    s = s + 1
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 0)
#endif

#ifndef NO_TASKLOOP_COLLAPSE
  call testcase('collapse')
  m = 0
  !$omp parallel shared(m)
  !$omp single
  !$omp taskloop collapse(2) shared(m)
  do i = 1, 6
    do j = 1, 7
      m(i, j) = m(i, j) + 10 * i + j
    end do
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(sum(m), 7 * 210 + 6 * 28)
#endif

  call testcase('firstprivate and private')
  bad = 0
  k = 55
  !$omp parallel shared(bad, k)
  !$omp single
  !$omp taskloop firstprivate(k) private(j) shared(bad)
  do i = 1, n
    j = i
    if (k /= 55 .or. j /= i) then
      !$omp atomic
      bad = bad + 1
    end if
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(k, 55)

#ifndef NO_TASKLOOP_LASTPRIVATE
  call testcase('lastprivate')
  j = 0
  k = 0
  !$omp parallel shared(j, k)
  !$omp single
  !$omp taskloop lastprivate(j, k)
  do i = 1, n
    j = i
    k = 2 * i
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(j, n)
  CHECK_EQ(k, 2 * n)
#endif

  call testcase('if(false): by the encountering thread')
  who = -1
  k = -1
  !$omp parallel shared(who, k)
  !$omp single
  k = omp_get_thread_num()
  !$omp taskloop if(.false.) shared(who)
  do i = 1, n
    who(i) = omp_get_thread_num()
  end do
  !$omp end single
  !$omp end parallel
  CHECK(all(who == k))

  call testcase('nogroup: finished at the latest with the region')
  c = 0
  bad = 0
  !$omp parallel shared(c) reduction(+: bad)
  !$omp single
  !$omp taskloop nogroup shared(c)
  do i = 1, n
    c(i) = 1
  end do
  !$omp taskwait
  if (any(c /= 1)) bad = bad + 1
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_TASKLOOP_REDUCTION
  call testcase('reduction')
  s = 10
  total = 1
  !$omp parallel shared(s, total)
  !$omp single
  !$omp taskloop reduction(+: s) reduction(max: total)
  do i = 1, n
    s = s + i
    total = max(total, int(i, 8))
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 10 + n * (n + 1) / 2)
  CHECK_EQ(total, int(n, 8))

  call testcase('in_reduction of a taskgroup')
  s = 0
  !$omp parallel shared(s)
  !$omp single
  !$omp taskgroup task_reduction(+: s)
  !$omp taskloop in_reduction(+: s) nogroup
  do i = 1, n
    s = s + i
  end do
  !$omp task in_reduction(+: s)
  s = s + 1000
  !$omp end task
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 1000 + n * (n + 1) / 2)
#endif

#ifndef NO_TASKLOOP_SIMD
  call testcase('taskloop simd')
  c = 0
  !$omp parallel shared(c)
  !$omp single
  !$omp taskloop simd shared(c)
  do i = 1, n
    c(i) = c(i) + i
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(sum(c), n * (n + 1) / 2)
#endif

#ifndef NO_TASKLOOP_COMBINED
  call testcase('parallel master taskloop')
  c = 0
  !$omp parallel master taskloop shared(c)
  do i = 1, n
    c(i) = c(i) + 1
  end do
  CHECK(all(c == 1))
#endif

  call testcase('outside of a region, and by every thread')
  s = 0
  !$omp taskloop shared(s)
  do i = 1, n
    !$omp atomic
    s = s + 1
  end do
  CHECK_EQ(s, n)
  s = 0
  !$omp parallel shared(s)
  !$omp taskloop shared(s)
  do i = 1, n
    !$omp atomic
    s = s + 1
  end do
  !$omp end parallel
  CHECK_EQ(s, n * omp_get_max_threads())

#ifndef NO_TASKLOOP_CLAUSES
  call testcase('final, mergeable, untied, priority')
  s = 0
  bad = 0
  l = .true.
  !$omp parallel shared(s, bad, l)
  !$omp single
  !$omp taskloop final(l) mergeable priority(1) shared(s, bad)
  do i = 1, n
    if (.not. omp_in_final()) then
      !$omp atomic
      bad = bad + 1
    end if
    !$omp atomic
    s = s + 1
  end do
  !$omp taskloop untied shared(s)
  do i = 1, n
    !$omp atomic
    s = s + 1
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(s, 2 * n)
  CHECK_EQ(bad, 0)
#endif
  call finish()

#ifndef NO_TASKLOOP_CHUNKS
contains

  ! Each task has its own copy of a firstprivate variable, which so counts the iterations of the task.
  subroutine pieces(grain, most, wrong)
    integer, intent(in) :: grain
    integer, intent(out) :: most, wrong
    integer :: seen, x, sizes(n), count
    count = 0
    seen = 0
    sizes = 0
    !$omp parallel shared(sizes, count)
    !$omp single
    !$omp taskloop grainsize(grain) firstprivate(seen) private(x) shared(sizes, count)
    do i = 1, n
      if (seen == 0) then
        !$omp atomic capture
        count = count + 1
        x = count
        !$omp end atomic
        seen = x
      end if
      sizes(seen) = sizes(seen) + 1
    end do
    !$omp end single
    !$omp end parallel
    most = maxval(sizes)
    wrong = 0
    if (sum(sizes) /= n) wrong = wrong + 1
    do i = 1, count
      if (sizes(i) < grain .or. sizes(i) >= 2 * grain) wrong = wrong + 1
    end do
  end subroutine pieces
#endif
end program taskloop
