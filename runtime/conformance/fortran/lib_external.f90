! SPDX-License-Identifier: Apache-2.0
! The routines by the names that a Fortran compiler gives to external procedures, as old programs declare them
! (OpenMP 5.2, 18: the routines are external procedures).
#include "check.h"
program lib_external
  use checks
  implicit none
  integer, external :: omp_get_thread_num, omp_get_num_threads, omp_get_max_threads, omp_get_num_procs, omp_get_level
  integer, external :: omp_get_team_size, omp_get_ancestor_thread_num, omp_test_nest_lock, omp_get_num_teams
  logical, external :: omp_in_parallel, omp_get_dynamic, omp_test_lock, omp_in_final
  double precision, external :: omp_get_wtime, omp_get_wtick
  external :: omp_set_num_threads, omp_set_dynamic, omp_init_lock, omp_set_lock, omp_unset_lock, omp_destroy_lock
  external :: omp_init_nest_lock, omp_set_nest_lock, omp_unset_nest_lock, omp_destroy_nest_lock
  integer(8) :: l(2), m(2)
  integer :: n, k, bad

  call testcase('functions and subroutines by reference')
  call omp_set_num_threads(3)
  CHECK_EQ(omp_get_max_threads(), 3)
  call omp_set_dynamic(.false.)
  CHECK(.not. omp_get_dynamic())
  CHECK(omp_get_num_procs() >= 1)
  CHECK_EQ(omp_get_team_size(0), 1)
  CHECK_EQ(omp_get_num_teams(), 1)
  CHECK(.not. omp_in_final())
  CHECK(omp_get_wtick() > 0)
  CHECK(omp_get_wtime() <= omp_get_wtime() + 1)
  n = 0
  bad = 0
  !$omp parallel reduction(+: n, bad)
  n = n + 1
  if (omp_get_num_threads() /= 3 .or. .not. omp_in_parallel() .or. omp_get_level() /= 1) bad = bad + 1
  if (omp_get_ancestor_thread_num(1) /= omp_get_thread_num()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(n, 3)
  CHECK_EQ(bad, 0)

  call testcase('locks in words of 16 bytes')
  l = -1
  m = -1
  call omp_init_lock(l)
  call omp_init_nest_lock(m)
  n = 0
  !$omp parallel private(k) shared(n, l, m)
  do k = 1, 60
    call omp_set_lock(l)
    call omp_set_nest_lock(m)
    call omp_set_nest_lock(m)
    n = n + 1
    call omp_unset_nest_lock(m)
    call omp_unset_nest_lock(m)
    call omp_unset_lock(l)
  end do
  !$omp end parallel
  CHECK_EQ(n, 180)
  CHECK(omp_test_lock(l))
  CHECK(.not. omp_test_lock(l))
  CHECK_EQ(omp_test_nest_lock(m), 1)
  CHECK_EQ(omp_test_nest_lock(m), 2)
  CHECK(l(2) == -1 .and. m(2) == -1)
  call omp_unset_lock(l)
  call omp_unset_nest_lock(m)
  call omp_unset_nest_lock(m)
  call omp_destroy_lock(l)
  call omp_destroy_nest_lock(m)
  call finish()
end program lib_external
