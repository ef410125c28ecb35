! SPDX-License-Identifier: Apache-2.0
! What the environment variables set (OpenMP 5.2, chapter 21). The manifest gives OMP_NUM_THREADS=5,2,3,
! OMP_SCHEDULE=guided,13, OMP_MAX_ACTIVE_LEVELS=2, OMP_THREAD_LIMIT=40, OMP_DYNAMIC=false, OMP_CANCELLATION=true,
! OMP_MAX_TASK_PRIORITY=9, OMP_PROC_BIND=false, OMP_STACKSIZE=2M.
#include "check.h"
program icv_environment
  use omp_lib
  use checks
  implicit none
  integer(omp_sched_kind) :: kind
  integer :: chunk, n, bad, deep
  integer :: who(60), i, last

  call testcase('OMP_NUM_THREADS')
  CHECK_EQ(omp_get_max_threads(), 5)
  n = 0
  bad = 0
  deep = 0
  !$omp parallel reduction(+: n, bad, deep)
  n = n + 1
  if (omp_get_max_threads() /= 2) bad = bad + 1
  !$omp parallel reduction(+: bad, deep)
  deep = deep + 1
  if (omp_get_num_threads() /= 2 .or. omp_get_max_threads() /= 3) bad = bad + 1
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(n, 5)
  CHECK_EQ(bad, 0)
  CHECK_EQ(deep, 10)

  call testcase('OMP_SCHEDULE')
  call omp_get_schedule(kind, chunk)
  CHECK(iand(int(kind), 15) == omp_sched_guided)
  CHECK_EQ(chunk, 13)
  who = -1
  !$omp parallel do schedule(runtime)
  do i = 1, 60
    who(i) = omp_get_thread_num()
  end do
  bad = 0
  last = 1
  do i = 2, 60
    if (who(i) /= who(i - 1)) then
      if (i - last < 13) bad = bad + 1
      last = i
    end if
  end do
  CHECK_EQ(bad, 0)
  CHECK(all(who >= 0))

  call testcase('OMP_MAX_ACTIVE_LEVELS, OMP_THREAD_LIMIT, OMP_DYNAMIC')
  CHECK_EQ(omp_get_max_active_levels(), 2)
  CHECK_EQ(omp_get_thread_limit(), 40)
  CHECK(.not. omp_get_dynamic())

  call testcase('OMP_MAX_TASK_PRIORITY')
  CHECK_EQ(omp_get_max_task_priority(), 9)

  call testcase('OMP_PROC_BIND')
  CHECK_EQ(int(omp_get_proc_bind()), int(omp_proc_bind_false))

  call testcase('OMP_STACKSIZE: half of it is usable by each thread')
  bad = 0
  !$omp parallel reduction(+: bad)
  call use_stack(bad)
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_CANCELLATION_TYPE
  call testcase('OMP_CANCELLATION')
  CHECK(omp_get_cancellation())
#endif
  call finish()

contains

  subroutine use_stack(wrong)
    integer, intent(inout) :: wrong
    integer :: room(250000)
    room = omp_get_thread_num()
    if (sum(room(1:250000:1000)) /= 250 * omp_get_thread_num()) wrong = wrong + 1
  end subroutine use_stack
end program icv_environment
