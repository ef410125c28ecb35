! SPDX-License-Identifier: Apache-2.0
! ICVs belong to data environments: each implicit and explicit task has a copy (OpenMP 5.2, 2.2 and 2.4).
#include "check.h"
program icv_scope
  use omp_lib
  use checks
  implicit none
  integer :: bad, before, n
  integer(omp_sched_kind) :: kind
  integer :: chunk

  call testcase('nthreads-var set inside of a region stays there')
  call omp_set_num_threads(4)
  bad = 0
  !$omp parallel num_threads(3) reduction(+: bad)
  call omp_set_num_threads(10 + omp_get_thread_num())
  !$omp barrier
  if (omp_get_max_threads() /= 10 + omp_get_thread_num()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(omp_get_max_threads(), 4)

  call testcase('run-sched-var')
  call omp_set_schedule(omp_sched_static, 3)
  bad = 0
  !$omp parallel num_threads(3) private(kind, chunk) reduction(+: bad)
  call omp_get_schedule(kind, chunk)
  if (iand(int(kind), 15) /= omp_sched_static .or. chunk /= 3) bad = bad + 1
  call omp_set_schedule(omp_sched_dynamic, 20 + omp_get_thread_num())
  !$omp barrier
  call omp_get_schedule(kind, chunk)
  if (iand(int(kind), 15) /= omp_sched_dynamic .or. chunk /= 20 + omp_get_thread_num()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  call omp_get_schedule(kind, chunk)
  CHECK(iand(int(kind), 15) == omp_sched_static .and. chunk == 3)

  call testcase('dyn-var')
  call omp_set_dynamic(.false.)
  bad = 0
  !$omp parallel num_threads(2) reduction(+: bad)
  call omp_set_dynamic(omp_get_thread_num() == 1)
  !$omp barrier
  if (omp_get_dynamic() .neqv. omp_get_thread_num() == 1) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(.not. omp_get_dynamic())

  call testcase('a task inherits from its creator and keeps its changes to itself')
  bad = 0
  call omp_set_num_threads(4)
  !$omp parallel num_threads(2) shared(bad) private(before)
  !$omp single
  call omp_set_num_threads(7)
  !$omp task shared(bad) if(.false.)
  if (omp_get_max_threads() /= 7) bad = bad + 1
  call omp_set_num_threads(9)
  if (omp_get_max_threads() /= 9) bad = bad + 1
  !$omp end task
  if (omp_get_max_threads() /= 7) bad = bad + 1
  !$omp task shared(bad)
  if (omp_get_max_threads() /= 7) bad = bad + 1
  !$omp end task
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(omp_get_max_threads(), 4)

  call testcase('an inner region inherits from the implicit task')
  call omp_set_max_active_levels(2)
  bad = 0
  n = 0
  !$omp parallel num_threads(2) reduction(+: bad, n)
  call omp_set_num_threads(2 + omp_get_thread_num())
  before = omp_get_thread_num()
  !$omp parallel reduction(+: bad, n) firstprivate(before)
  n = n + 1
  if (omp_get_num_threads() /= 2 + omp_get_ancestor_thread_num(1)) bad = bad + 1
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(n, 5)

  call testcase('the num_threads clause does not change the ICV')
  call omp_set_num_threads(6)
  !$omp parallel num_threads(2)
  !$omp end parallel
  CHECK_EQ(omp_get_max_threads(), 6)
  call finish()
end program icv_scope
