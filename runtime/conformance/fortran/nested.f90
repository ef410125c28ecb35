! SPDX-License-Identifier: Apache-2.0
! Nested parallel regions (OpenMP 5.2, 10.1.1, 18.2, 18.8).
#include "check.h"
program nested
  use omp_lib
  use checks
  implicit none
  integer :: n, bad, k, teams, sum_of, i

  call testcase('max_active_levels 1: the inner region is one thread')
  call omp_set_max_active_levels(1)
  CHECK_EQ(omp_get_max_active_levels(), 1)
  bad = 0
  n = 0
  !$omp parallel num_threads(3) reduction(+: bad, n)
  !$omp parallel num_threads(2) reduction(+: bad, n)
  n = n + 1
  if (omp_get_num_threads() /= 1) bad = bad + 1
  if (omp_get_level() /= 2 .or. omp_get_active_level() /= 1) bad = bad + 1
  if (.not. omp_in_parallel()) bad = bad + 1
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(n, 3)

  call testcase('two active levels')
  call omp_set_max_active_levels(2)
  bad = 0
  n = 0
  !$omp parallel num_threads(3) reduction(+: bad, n)
  teams = omp_get_thread_num()
  !$omp parallel num_threads(2) reduction(+: bad, n)
  n = n + 1
  if (omp_get_num_threads() /= 2) bad = bad + 1
  if (omp_get_level() /= 2 .or. omp_get_active_level() /= 2) bad = bad + 1
  if (omp_get_team_size(1) /= 3 .or. omp_get_team_size(2) /= 2 .or. omp_get_team_size(0) /= 1) bad = bad + 1
  if (omp_get_ancestor_thread_num(2) /= omp_get_thread_num()) bad = bad + 1
  if (omp_get_ancestor_thread_num(1) < 0 .or. omp_get_ancestor_thread_num(1) > 2) bad = bad + 1
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(n, 6)

  call testcase('three levels, the third not active')
  n = 0
  bad = 0
  !$omp parallel num_threads(2) reduction(+: bad, n)
  !$omp parallel num_threads(2) reduction(+: bad, n)
  !$omp parallel num_threads(2) reduction(+: bad, n)
  n = n + 1
  if (omp_get_num_threads() /= 1 .or. omp_get_level() /= 3 .or. omp_get_active_level() /= 2) bad = bad + 1
  if (omp_get_team_size(3) /= 1 .or. omp_get_ancestor_thread_num(3) /= 0) bad = bad + 1
  !$omp end parallel
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(n, 4)

  call testcase('three active levels')
  call omp_set_max_active_levels(3)
  n = 0
  !$omp parallel num_threads(2) reduction(+: n)
  !$omp parallel num_threads(2) reduction(+: n)
  !$omp parallel num_threads(2) reduction(+: n)
  n = n + 1
  !$omp end parallel
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(n, 8)

  call testcase('again and again')
  do k = 1, 20
    n = 0
    !$omp parallel num_threads(2) reduction(+: n)
    !$omp parallel num_threads(1 + mod(k, 3)) reduction(+: n)
    n = n + 1
    !$omp end parallel
    !$omp end parallel
    CHECK_EQ(n, 2 * (1 + mod(k, 3)))
  end do

  call testcase('loops, barriers and single inside of inner teams')
  bad = 0
  !$omp parallel num_threads(2) reduction(+: bad) private(sum_of, n)
  sum_of = 0
  n = 0
  !$omp parallel num_threads(3) shared(sum_of, n) reduction(+: bad) private(i)
  !$omp do schedule(dynamic) reduction(+: sum_of)
  do i = 1, 50
    sum_of = sum_of + i
  end do
  !$omp single
  n = n + 1
  !$omp end single
  !$omp barrier
  if (sum_of /= 1275 .or. n /= 1) bad = bad + 1
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('tasks of an inner team')
  n = 0
  !$omp parallel num_threads(2) reduction(+: n) private(sum_of, i)
  sum_of = 0
  !$omp parallel num_threads(2) shared(sum_of)
  !$omp single
  do i = 1, 10
    !$omp task shared(sum_of)
    !$omp atomic
    sum_of = sum_of + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  n = n + sum_of
  !$omp end parallel
  CHECK_EQ(n, 20)

  call testcase('an inner region that a task begins')
  n = 0
  !$omp parallel num_threads(2) shared(n)
  !$omp single
  do k = 1, 4
    !$omp task shared(n)
    !$omp parallel num_threads(2) shared(n)
    !$omp atomic
    n = n + 1
    !$omp end parallel
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 8)

  call testcase('a region in a region of one thread is at level 2, active level 1')
  bad = 0
  !$omp parallel if(.false.) reduction(+: bad)
  !$omp parallel num_threads(2) reduction(+: bad)
  if (omp_get_level() /= 2 .or. omp_get_active_level() /= 1 .or. omp_get_num_threads() /= 2) bad = bad + 1
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('max_active_levels 0: no region is active')
  call omp_set_max_active_levels(0)
  CHECK_EQ(omp_get_max_active_levels(), 0)
  n = 0
  !$omp parallel num_threads(4) reduction(+: n)
  n = n + 1
  !$omp end parallel
  CHECK_EQ(n, 1)

  call testcase('recursion of regions')
  call omp_set_max_active_levels(4)
  n = 0
  call deeper(4, n)
  CHECK_EQ(n, 16)
  call finish()

contains

  recursive subroutine deeper(depth, count)
    integer, intent(in) :: depth
    integer, intent(inout) :: count
    if (depth == 0) then
      !$omp atomic
      count = count + 1
      return
    end if
    !$omp parallel num_threads(2) shared(count)
    call deeper(depth - 1, count)
    !$omp end parallel
  end subroutine deeper
end program nested
