! SPDX-License-Identifier: Apache-2.0
! Nestable locks: counts, ownership by the task, and nothing written beyond the kind (OpenMP 5.2, 18.9).
#include "check.h"
program lock_nest
  use omp_lib
  use checks
  implicit none
  type :: fenced
    sequence
    integer(8) :: before = 81985529216486895_8
    integer(omp_nest_lock_kind) :: lock
    integer(8) :: after = 1147797409030816545_8
  end type fenced
  integer(omp_nest_lock_kind) :: l, many(20)
  integer :: n, k, t, bad, depth
  type(fenced) :: f, list(3)

  t = omp_get_max_threads()
  call testcase('the count that test returns')
  call omp_init_nest_lock(l)
  CHECK_EQ(omp_test_nest_lock(l), 1)
  CHECK_EQ(omp_test_nest_lock(l), 2)
  call omp_set_nest_lock(l)
  CHECK_EQ(omp_test_nest_lock(l), 4)
  call omp_unset_nest_lock(l)
  call omp_unset_nest_lock(l)
  CHECK_EQ(omp_test_nest_lock(l), 3)
  call omp_unset_nest_lock(l)
  call omp_unset_nest_lock(l)
  call omp_unset_nest_lock(l)
  CHECK_EQ(omp_test_nest_lock(l), 1)
  call omp_unset_nest_lock(l)
  call omp_destroy_nest_lock(l)

  call testcase('mutual exclusion with nesting')
  call omp_init_nest_lock(l)
  n = 0
  !$omp parallel private(k, depth) shared(n, l)
  do k = 1, 100
    do depth = 1, 1 + mod(k, 4)
      call omp_set_nest_lock(l)
    end do
    n = n + 1
    do depth = 1, 1 + mod(k, 4)
      call omp_unset_nest_lock(l)
    end do
  end do
  !$omp end parallel
  call omp_destroy_nest_lock(l)
  CHECK_EQ(n, 100 * t)

  call testcase('another thread gets 0 while it is held')
  call omp_init_nest_lock(l)
  bad = 0
  !$omp parallel num_threads(2) shared(l) reduction(+: bad)
  if (omp_get_num_threads() == 2) then
    if (omp_get_thread_num() == 0) then
      call omp_set_nest_lock(l)
      call omp_set_nest_lock(l)
    end if
    !$omp barrier
    if (omp_get_thread_num() == 1) then
      if (omp_test_nest_lock(l) /= 0) bad = bad + 1
    end if
    !$omp barrier
    if (omp_get_thread_num() == 0) call omp_unset_nest_lock(l)
    !$omp barrier
    if (omp_get_thread_num() == 1) then
      if (omp_test_nest_lock(l) /= 0) bad = bad + 1
    end if
    !$omp barrier
    if (omp_get_thread_num() == 0) call omp_unset_nest_lock(l)
    !$omp barrier
    if (omp_get_thread_num() == 1) then
      if (omp_test_nest_lock(l) /= 1) bad = bad + 1
      call omp_unset_nest_lock(l)
    end if
  end if
  !$omp end parallel
  CHECK_EQ(bad, 0)
  call omp_destroy_nest_lock(l)

  call testcase('canaries round a nestable lock in a sequence type')
  call omp_init_nest_lock(f%lock)
  n = 0
  !$omp parallel private(k) shared(n, f)
  do k = 1, 60
    call omp_set_nest_lock(f%lock)
    call omp_set_nest_lock(f%lock)
    n = n + 1
    call omp_unset_nest_lock(f%lock)
    call omp_unset_nest_lock(f%lock)
  end do
  !$omp end parallel
  CHECK_EQ(omp_test_nest_lock(f%lock), 1)
  CHECK(f%before == 81985529216486895_8 .and. f%after == 1147797409030816545_8)
  call omp_unset_nest_lock(f%lock)
  call omp_destroy_nest_lock(f%lock)
  CHECK(f%before == 81985529216486895_8 .and. f%after == 1147797409030816545_8)
  CHECK_EQ(n, 60 * t)

  call testcase('several with canaries, held at the same time')
  bad = 0
  do k = 1, 3
    call omp_init_nest_lock(list(k)%lock)
    call omp_set_nest_lock(list(k)%lock)
  end do
  do k = 1, 3
    if (omp_test_nest_lock(list(k)%lock) /= 2) bad = bad + 1
    call omp_unset_nest_lock(list(k)%lock)
    call omp_unset_nest_lock(list(k)%lock)
    if (list(k)%before /= 81985529216486895_8 .or. list(k)%after /= 1147797409030816545_8) bad = bad + 1
    call omp_destroy_nest_lock(list(k)%lock)
  end do
  CHECK_EQ(bad, 0)

  call testcase('an array of nestable locks')
  bad = 0
  do k = 1, 20
    call omp_init_nest_lock(many(k))
  end do
  do k = 1, 20
    do n = 1, k
      call omp_set_nest_lock(many(k))
    end do
  end do
  do k = 1, 20
    if (omp_test_nest_lock(many(k)) /= k + 1) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)
  do k = 1, 20
    do n = 1, k + 1
      call omp_unset_nest_lock(many(k))
    end do
    call omp_destroy_nest_lock(many(k))
  end do

  call testcase('recursion under one lock')
  call omp_init_nest_lock(l)
  n = 0
  !$omp parallel shared(n, l)
  call recurse(6, n)
  !$omp end parallel
  call omp_destroy_nest_lock(l)
  CHECK_EQ(n, 7 * t)
  call finish()

contains

  recursive subroutine recurse(d, counter)
    integer, intent(in) :: d
    integer, intent(inout) :: counter
    call omp_set_nest_lock(l)
    counter = counter + 1
    if (d > 0) call recurse(d - 1, counter)
    call omp_unset_nest_lock(l)
  end subroutine recurse
end program lock_nest
