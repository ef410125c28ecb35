! SPDX-License-Identifier: Apache-2.0
! The critical construct (OpenMP 5.2, 15.2).
#include "check.h"
module critical_elsewhere
  implicit none
contains
  subroutine add_one(counter)
    integer, intent(inout) :: counter
    !$omp critical (shared_name)
    counter = counter + 1
    !$omp end critical (shared_name)
  end subroutine add_one
end module critical_elsewhere

program critical
  use omp_lib
  use checks
  use critical_elsewhere
  implicit none
  integer :: n, k, m, teams, inside, most

  teams = omp_get_max_threads()
  call testcase('unnamed: mutual exclusion')
  n = 0
  !$omp parallel private(k) shared(n)
  do k = 1, 500
    !$omp critical
    n = n + 1
    !$omp end critical
  end do
  !$omp end parallel
  CHECK_EQ(n, 500 * teams)

  call testcase('at most one thread is inside')
  inside = 0
  most = 0
  !$omp parallel private(k, m) shared(inside, most)
  do k = 1, 200
    !$omp critical
    !$omp atomic capture
    inside = inside + 1
    m = inside
    !$omp end atomic
    most = max(most, m)
    !$omp atomic
    inside = inside - 1
    !$omp end critical
  end do
  !$omp end parallel
  CHECK_EQ(most, 1)

  call testcase('named: different names may nest')
  n = 0
  m = 0
  !$omp parallel private(k) shared(n, m)
  do k = 1, 200
    !$omp critical (outer_name)
    n = n + 1
    !$omp critical (inner_name)
    m = m + 1
    !$omp end critical (inner_name)
    !$omp end critical (outer_name)
  end do
  !$omp end parallel
  CHECK_EQ(n, 200 * teams)
  CHECK_EQ(m, 200 * teams)

  call testcase('a name is one lock in all program units')
  n = 0
  !$omp parallel private(k) shared(n)
  do k = 1, 200
    call add_one(n)
    !$omp critical (shared_name)
    n = n + 1
    !$omp end critical (shared_name)
  end do
  !$omp end parallel
  CHECK_EQ(n, 400 * teams)

  call testcase('hint')
  n = 0
  !$omp parallel private(k) shared(n)
  do k = 1, 100
    !$omp critical (hinted) hint(omp_sync_hint_contended)
    n = n + 1
    !$omp end critical (hinted)
    !$omp critical (quiet) hint(omp_sync_hint_uncontended)
    n = n
    !$omp end critical (quiet)
  end do
  !$omp end parallel
  CHECK_EQ(n, 100 * teams)

  call testcase('all threads of all teams: nested regions')
  n = 0
  call omp_set_max_active_levels(2)
  !$omp parallel num_threads(2) shared(n)
  !$omp parallel num_threads(2) shared(n) private(k)
  do k = 1, 100
    !$omp critical
    n = n + 1
    !$omp end critical
  end do
  !$omp end parallel
  !$omp end parallel
  CHECK_EQ(n, 400)
  call omp_set_max_active_levels(1)

  call testcase('in tasks and in a loop')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  do k = 1, 50
    !$omp task shared(n)
    !$omp critical
    n = n + 1
    !$omp end critical
    !$omp end task
  end do
  !$omp end single
  !$omp do schedule(dynamic)
  do k = 1, 50
    !$omp critical
    n = n + 1
    !$omp end critical
  end do
  !$omp end parallel
  CHECK_EQ(n, 100)

  call testcase('outside of any region')
  n = 0
  !$omp critical
  n = n + 1
  !$omp end critical
  CHECK_EQ(n, 1)
  call finish()
end program critical
