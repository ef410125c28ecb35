! SPDX-License-Identifier: Apache-2.0
! The same routines by omp_lib.h instead of the module (OpenMP 5.2, 18).
#include "check.h"
program lib_header
  use checks
  implicit none
  include 'omp_lib.h'
  integer(omp_lock_kind) :: l
  integer(omp_nest_lock_kind) :: m
  integer(omp_sched_kind) :: kind
  integer :: n, k, chunk, bad
  double precision :: t0

  call testcase('threads')
  call omp_set_num_threads(3)
  CHECK_EQ(omp_get_max_threads(), 3)
  bad = 0
  n = 0
  !$omp parallel reduction(+: bad, n)
  n = n + 1
  if (omp_get_thread_num() < 0 .or. omp_get_thread_num() > 2) bad = bad + 1
  if (omp_get_num_threads() /= 3) bad = bad + 1
  if (.not. omp_in_parallel()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(n, 3)
  CHECK_EQ(bad, 0)

  call testcase('locks')
  call omp_init_lock(l)
  call omp_init_nest_lock(m)
  n = 0
  !$omp parallel private(k) shared(n, l, m)
  do k = 1, 50
    call omp_set_lock(l)
    call omp_set_nest_lock(m)
    n = n + 1
    call omp_unset_nest_lock(m)
    call omp_unset_lock(l)
  end do
  !$omp end parallel
  CHECK_EQ(n, 150)
  CHECK(omp_test_lock(l))
  CHECK_EQ(omp_test_nest_lock(m), 1)
  call omp_unset_lock(l)
  call omp_unset_nest_lock(m)
  call omp_destroy_lock(l)
  call omp_destroy_nest_lock(m)

  call testcase('schedule and time')
  call omp_set_schedule(omp_sched_guided, 4)
  call omp_get_schedule(kind, chunk)
  CHECK(iand(int(kind), 15) == omp_sched_guided .and. chunk == 4)
  t0 = omp_get_wtime()
  CHECK(omp_get_wtime() >= t0)
  CHECK(omp_get_wtick() > 0)

  call testcase('levels and devices')
  call omp_set_max_active_levels(2)
  CHECK_EQ(omp_get_max_active_levels(), 2)
  CHECK_EQ(omp_get_level(), 0)
  CHECK_EQ(omp_get_team_size(0), 1)
  CHECK_EQ(omp_get_num_teams(), 1)
  CHECK_EQ(omp_get_team_num(), 0)
  CHECK(omp_get_num_devices() >= 0)

  call testcase('procedures without any declaration but external')
  call by_external()
  call finish()

contains

  subroutine by_external()
    integer :: wrong
    wrong = 0
    call omp_set_dynamic(.false.)
    !$omp parallel num_threads(2) reduction(+: wrong)
    if (omp_get_ancestor_thread_num(1) /= omp_get_thread_num()) wrong = wrong + 1
    !$omp end parallel
    CHECK_EQ(wrong, 0)
  end subroutine by_external
end program lib_header
