! SPDX-License-Identifier: Apache-2.0
! OMP_THREAD_LIMIT=6 with larger requests (OpenMP 5.2, 21.1.3 and 10.1.1); OMP_SCHEDULE=dynamic without a chunk.
#include "check.h"
program icv_limit
  use omp_lib
  use checks
  implicit none
  integer :: n, total, bad, seen(0:63), chunk
  integer(omp_sched_kind) :: kind

  call testcase('the limit')
  CHECK_EQ(omp_get_thread_limit(), 6)

  call testcase('a request above the limit gives fewer threads, dense numbers')
  seen = 0
  n = 0
  !$omp parallel num_threads(20) shared(seen, n)
  !$omp atomic
  seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
  !$omp single
  n = omp_get_num_threads()
  !$omp end single
  !$omp end parallel
  CHECK(n >= 1 .and. n <= 6)
  CHECK(all(seen(0:n-1) == 1))
  CHECK_EQ(sum(seen), n)

  call testcase('the limit covers nested teams together')
  call omp_set_max_active_levels(2)
  total = 0
  bad = 0
  !$omp parallel num_threads(3) reduction(+: total, bad)
  !$omp parallel num_threads(4) reduction(+: total, bad)
  total = total + 1
  if (omp_get_num_threads() > 4) bad = bad + 1
  !$omp barrier
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(total >= 3 .and. total <= 12)

  call testcase('afterwards a team of the limit is possible again')
  n = 0
  !$omp parallel num_threads(6) reduction(+: n)
  n = n + 1
  !$omp end parallel
  CHECK(n >= 1 .and. n <= 6)

  call testcase('OMP_SCHEDULE without a chunk')
  call omp_get_schedule(kind, chunk)
  CHECK(iand(int(kind), 15) == omp_sched_dynamic)
  CHECK_EQ(chunk, 1)
  call finish()
end program icv_limit
