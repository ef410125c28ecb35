! SPDX-License-Identifier: Apache-2.0
! Simple locks; the runtime writes nothing beyond the kind that omp_lib declares (OpenMP 5.2, 18.9).
#include "check.h"
module lock_store
  use omp_lib
  implicit none
  type :: fenced
    sequence
    integer(8) :: before = 81985529216486895_8
    integer(omp_lock_kind) :: lock
    integer(4) :: near = 305419896
    integer(8) :: after = 1147797409030816545_8
  end type fenced
  integer(omp_lock_kind) :: in_module
  integer(omp_lock_kind) :: in_common
  common /locks/ in_common
end module lock_store

program lock_simple
  use omp_lib
  use checks
  use lock_store
  implicit none
  integer(omp_lock_kind) :: l, many(40)
  integer :: n, k, bad, inside, most, m, t
  type(fenced) :: f
  type(fenced) :: list(4)

  t = omp_get_max_threads()
  call testcase('mutual exclusion')
  call omp_init_lock(l)
  n = 0
  !$omp parallel private(k) shared(n, l)
  do k = 1, 300
    call omp_set_lock(l)
    n = n + 1
    call omp_unset_lock(l)
  end do
  !$omp end parallel
  call omp_destroy_lock(l)
  CHECK_EQ(n, 300 * t)

  call testcase('at most one holder')
  call omp_init_lock(l)
  inside = 0
  most = 0
  !$omp parallel private(k, m) shared(inside, most, l)
  do k = 1, 150
    call omp_set_lock(l)
    !$omp atomic capture
    inside = inside + 1
    m = inside
    !$omp end atomic
    most = max(most, m)
    !$omp atomic
    inside = inside - 1
    call omp_unset_lock(l)
  end do
  !$omp end parallel
  call omp_destroy_lock(l)
  CHECK_EQ(most, 1)

  call testcase('test_lock: true once, then false until unset')
  call omp_init_lock(l)
  CHECK(omp_test_lock(l))
  bad = 0
  !$omp parallel num_threads(3) shared(l) reduction(+: bad)
  if (omp_test_lock(l)) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  call omp_unset_lock(l)
  n = 0
  !$omp parallel num_threads(4) shared(l) reduction(+: n)
  if (omp_test_lock(l)) n = n + 1
  !$omp end parallel
  CHECK_EQ(n, 1)
  call omp_destroy_lock(l)

  call testcase('set by test_lock in a loop')
  call omp_init_lock(l)
  n = 0
  !$omp parallel private(k) shared(n, l)
  do k = 1, 50
    do while (.not. omp_test_lock(l))
    end do
    n = n + 1
    call omp_unset_lock(l)
  end do
  !$omp end parallel
  call omp_destroy_lock(l)
  CHECK_EQ(n, 50 * t)

  call testcase('canaries round a lock in a sequence type')
  call omp_init_lock(f%lock)
  n = 0
  !$omp parallel private(k) shared(n, f)
  do k = 1, 100
    call omp_set_lock(f%lock)
    n = n + 1
    call omp_unset_lock(f%lock)
  end do
  !$omp end parallel
  CHECK(omp_test_lock(f%lock))
  CHECK(f%before == 81985529216486895_8)
  CHECK(f%near == 305419896)
  CHECK(f%after == 1147797409030816545_8)
  call omp_unset_lock(f%lock)
  call omp_destroy_lock(f%lock)
  CHECK(f%before == 81985529216486895_8)
  CHECK(f%near == 305419896)
  CHECK(f%after == 1147797409030816545_8)
  CHECK_EQ(n, 100 * t)

  call testcase('canaries round each of several locks')
  do k = 1, 4
    call omp_init_lock(list(k)%lock)
  end do
  bad = 0
  !$omp parallel private(k, m) shared(list) num_threads(4)
  do k = 1, 100
    m = 1 + mod(k + omp_get_thread_num(), 4)
    call omp_set_lock(list(m)%lock)
    call omp_unset_lock(list(m)%lock)
  end do
  !$omp end parallel
  do k = 1, 4
    if (list(k)%before /= 81985529216486895_8 .or. list(k)%near /= 305419896 .or. &
        list(k)%after /= 1147797409030816545_8) bad = bad + 1
    call omp_destroy_lock(list(k)%lock)
  end do
  CHECK_EQ(bad, 0)

  call testcase('an array of locks does not overlap: neighbours are free')
  do k = 1, 40
    call omp_init_lock(many(k))
  end do
  do k = 1, 40, 2
    call omp_set_lock(many(k))
  end do
  bad = 0
  do k = 1, 40
    if (mod(k, 2) == 1) then
      if (omp_test_lock(many(k))) bad = bad + 1
    else
      if (.not. omp_test_lock(many(k))) bad = bad + 1
    end if
  end do
  CHECK_EQ(bad, 0)
  do k = 1, 40
    call omp_unset_lock(many(k))
    call omp_destroy_lock(many(k))
  end do

  call testcase('locks in a module and in a common block')
  call omp_init_lock(in_module)
  call omp_init_lock(in_common)
  n = 0
  !$omp parallel private(k) shared(n)
  do k = 1, 100
    call omp_set_lock(in_module)
    call omp_set_lock(in_common)
    n = n + 1
    call omp_unset_lock(in_common)
    call omp_unset_lock(in_module)
  end do
  !$omp end parallel
  call omp_destroy_lock(in_module)
  call omp_destroy_lock(in_common)
  CHECK_EQ(n, 100 * t)

  call testcase('initialised anew after destroy')
  do k = 1, 10
    call omp_init_lock(l)
    call omp_set_lock(l)
    call omp_unset_lock(l)
    call omp_destroy_lock(l)
  end do
  CHECK(.true.)

  call testcase('a lock that one task sets and the same task unsets')
  call omp_init_lock(l)
  n = 0
  !$omp parallel shared(n, l)
  !$omp single
  do k = 1, 40
    !$omp task shared(n, l)
    call omp_set_lock(l)
    n = n + 1
    call omp_unset_lock(l)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call omp_destroy_lock(l)
  CHECK_EQ(n, 40)
  call finish()
end program lock_simple
