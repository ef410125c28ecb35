! SPDX-License-Identifier: Apache-2.0
! The master and masked constructs (OpenMP 5.2, 10.5; 5.0, 2.16).
#include "check.h"
program masked
  use omp_lib
  use checks
  implicit none
  integer :: n, who, k, bad, team, ran(0:15)

  call testcase('master: thread 0 only, no barrier')
  n = 0
  who = -1
  !$omp parallel shared(n, who)
  !$omp master
  n = n + 1
  who = omp_get_thread_num()
  !$omp end master
  !$omp end parallel
  CHECK_EQ(n, 1)
  CHECK_EQ(who, 0)

  call testcase('master many times')
  n = 0
  !$omp parallel private(k) shared(n)
  do k = 1, 50
    !$omp master
    n = n + k
    !$omp end master
  end do
  !$omp end parallel
  CHECK_EQ(n, 1275)

#ifndef NO_PARALLEL_MASTER
  call testcase('parallel master')
  n = 0
  !$omp parallel master shared(n)
  n = n + 1 + omp_get_thread_num()
  !$omp end parallel master
  CHECK_EQ(n, 1)
#endif

#ifndef NO_MASKED
  call testcase('masked without filter is thread 0')
  n = 0
  !$omp parallel shared(n)
  !$omp masked
  n = n + 1 + omp_get_thread_num()
  !$omp end masked
  !$omp end parallel
  CHECK_EQ(n, 1)

  call testcase('masked with a filter that names each thread in turn')
  ran = 0
  team = 0
  !$omp parallel num_threads(4) private(k) shared(ran, team)
  !$omp single
  team = omp_get_num_threads()
  !$omp end single
  do k = 0, 7
    !$omp masked filter(k)
    ran(k) = ran(k) + 1 + omp_get_thread_num() - k
    !$omp end masked
  end do
  !$omp end parallel
  CHECK(all(ran(0:team-1) == 1))
  CHECK(all(ran(team:) == 0))

  call testcase('a filter that differs from thread to thread')
  n = 0
  !$omp parallel num_threads(4) shared(n)
  !$omp masked filter(omp_get_thread_num())
  !$omp atomic
  n = n + 1
  !$omp end masked
  !$omp end parallel
  CHECK_EQ(n, 4)
#endif

#ifndef NO_PARALLEL_MASKED
  call testcase('parallel masked')
  n = 0
  bad = 0
  !$omp parallel masked num_threads(3) filter(2) shared(n, bad)
  n = n + 1
  if (omp_get_thread_num() /= 2) bad = bad + 1
  !$omp end parallel masked
  CHECK_EQ(n, 1)
  CHECK_EQ(bad, 0)
#endif

  call testcase('orphaned, and outside of a region')
  n = 0
  call by_primary(n)
  CHECK_EQ(n, 1)
  !$omp parallel shared(n)
  call by_primary(n)
  !$omp end parallel
  CHECK_EQ(n, 2)
  call finish()

contains

  subroutine by_primary(counter)
    integer, intent(inout) :: counter
    !$omp master
    counter = counter + 1
    !$omp end master
  end subroutine by_primary
end program masked
