! SPDX-License-Identifier: Apache-2.0
! The thread team routines of omp_lib (OpenMP 5.2, 18.2, 18.3, 18.5).
#include "check.h"
program lib_threads
  use omp_lib
  use checks
  implicit none
  integer :: n, bad, k
  integer(omp_sched_kind) :: kind

  call testcase('omp_set_num_threads and omp_get_max_threads')
  do k = 1, 6
    call omp_set_num_threads(k)
    CHECK_EQ(omp_get_max_threads(), k)
    n = 0
    !$omp parallel reduction(+: n)
    n = n + 1
    !$omp end parallel
    CHECK_EQ(n, k)
  end do

  call testcase('omp_get_num_procs')
  CHECK(omp_get_num_procs() >= 1)
  n = omp_get_num_procs()
  bad = 0
  !$omp parallel reduction(+: bad)
  if (omp_get_num_procs() /= n) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('dynamic adjustment')
  CHECK(.not. omp_get_dynamic())
  call omp_set_dynamic(.true.)
  CHECK(omp_get_dynamic())
  n = 0
  !$omp parallel num_threads(4) reduction(+: n)
  n = n + 1
  !$omp end parallel
  CHECK(n >= 1 .and. n <= 4)
  call omp_set_dynamic(.false.)
  CHECK(.not. omp_get_dynamic())

  call testcase('nested, and max active levels')
  call omp_set_max_active_levels(3)
  CHECK_EQ(omp_get_max_active_levels(), 3)
  CHECK(omp_get_supported_active_levels() >= 1)
  call omp_set_max_active_levels(1)
  CHECK_EQ(omp_get_max_active_levels(), 1)
#ifndef NO_SET_NESTED
  call omp_set_nested(.true.)
  CHECK(omp_get_nested())
  CHECK(omp_get_max_active_levels() > 1)
  call omp_set_nested(.false.)
  CHECK(.not. omp_get_nested())
  CHECK_EQ(omp_get_max_active_levels(), 1)
#endif

  call testcase('thread limit')
  CHECK(omp_get_thread_limit() >= 16)

  call testcase('schedules')
  call omp_set_schedule(omp_sched_static, 7)
  call omp_get_schedule(kind, n)
  CHECK(iand(int(kind), 15) == omp_sched_static .and. n == 7)
  call omp_set_schedule(omp_sched_dynamic, 1)
  call omp_get_schedule(kind, n)
  CHECK(iand(int(kind), 15) == omp_sched_dynamic .and. n == 1)
  call omp_set_schedule(omp_sched_guided, 12)
  call omp_get_schedule(kind, n)
  CHECK(iand(int(kind), 15) == omp_sched_guided .and. n == 12)
  call omp_set_schedule(omp_sched_auto, 0)
  call omp_get_schedule(kind, n)
  CHECK(iand(int(kind), 15) == omp_sched_auto)

  call testcase('a chunk of less than 1 is the default chunk')
  call omp_set_schedule(omp_sched_dynamic, -3)
  call omp_get_schedule(kind, n)
  CHECK(iand(int(kind), 15) == omp_sched_dynamic)
  CHECK(n <= 1)

  call testcase('level, ancestors and sizes for levels that do not exist')
  CHECK_EQ(omp_get_level(), 0)
  CHECK_EQ(omp_get_active_level(), 0)
  CHECK_EQ(omp_get_ancestor_thread_num(0), 0)
  CHECK_EQ(omp_get_ancestor_thread_num(1), -1)
  CHECK_EQ(omp_get_ancestor_thread_num(-1), -1)
  CHECK_EQ(omp_get_team_size(0), 1)
  CHECK_EQ(omp_get_team_size(1), -1)
  CHECK_EQ(omp_get_team_size(-1), -1)

  call testcase('in_final, in_parallel, cancellation, priority outside')
  CHECK(.not. omp_in_final())
  CHECK(.not. omp_in_parallel())
  CHECK_EQ(omp_get_max_task_priority(), 0)

  call testcase('openmp_version is that of the compiler')
  CHECK(openmp_version >= 201107)
#ifdef _OPENMP
  CHECK(_OPENMP >= 201107)
#endif

#ifdef __GFORTRAN__
  call testcase('arguments of kind 8')
  call omp_set_num_threads(5_8)
  CHECK_EQ(omp_get_max_threads(), 5)
  call omp_set_max_active_levels(2_8)
  CHECK_EQ(omp_get_max_active_levels(), 2)
  call omp_set_schedule(omp_sched_guided, 9_8)
  call of_kind_8()
  call omp_set_dynamic(.true._8)
  CHECK(omp_get_dynamic())
  call omp_set_dynamic(.false._8)
  CHECK(.not. omp_get_dynamic())
  CHECK_EQ(omp_get_ancestor_thread_num(0_8), 0)
  CHECK_EQ(omp_get_team_size(1_8), -1)
  call omp_set_num_threads(3000000000_8)
  CHECK_EQ(omp_get_max_threads(), huge(1))
  call omp_set_num_threads(4)
#endif
  call finish()

#ifdef __GFORTRAN__
contains

  subroutine of_kind_8()
    integer(omp_sched_kind) :: what
    integer(8) :: chunk
    chunk = -1
    call omp_get_schedule(what, chunk)
    CHECK(iand(int(what), 15) == omp_sched_guided)
    CHECK_EQ(chunk, 9_8)
  end subroutine of_kind_8
#endif
end program lib_threads
