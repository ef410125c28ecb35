! SPDX-License-Identifier: Apache-2.0
! Locks that are initialised with a hint (OpenMP 5.2, 18.9.2). libgomp declares these routines but does not have them.
#include "check.h"
program lock_hint
  use omp_lib
  use checks
  implicit none
  integer(omp_lock_kind) :: l
  integer(omp_nest_lock_kind) :: m
  integer(omp_sync_hint_kind) :: hints(5)
  integer :: n, k, h

  hints = [omp_sync_hint_none, omp_sync_hint_uncontended, omp_sync_hint_contended, omp_sync_hint_nonspeculative, &
      omp_sync_hint_speculative]
  call testcase('simple locks with each hint')
  do h = 1, 5
    call omp_init_lock_with_hint(l, hints(h))
    n = 0
    !$omp parallel private(k) shared(n, l)
    do k = 1, 50
      call omp_set_lock(l)
      n = n + 1
      call omp_unset_lock(l)
    end do
    !$omp end parallel
    CHECK(omp_test_lock(l))
    call omp_unset_lock(l)
    call omp_destroy_lock(l)
    CHECK_EQ(n, 50 * omp_get_max_threads())
  end do

  call testcase('nestable locks with each hint')
  do h = 1, 5
    call omp_init_nest_lock_with_hint(m, hints(h))
    n = 0
    !$omp parallel private(k) shared(n, m)
    do k = 1, 50
      call omp_set_nest_lock(m)
      call omp_set_nest_lock(m)
      n = n + 1
      call omp_unset_nest_lock(m)
      call omp_unset_nest_lock(m)
    end do
    !$omp end parallel
    CHECK_EQ(omp_test_nest_lock(m), 1)
    call omp_unset_nest_lock(m)
    call omp_destroy_nest_lock(m)
    CHECK_EQ(n, 50 * omp_get_max_threads())
  end do

  call testcase('two hints together')
  call omp_init_lock_with_hint(l, ior(omp_sync_hint_uncontended, omp_sync_hint_nonspeculative))
  CHECK(omp_test_lock(l))
  call omp_unset_lock(l)
  call omp_destroy_lock(l)
  call finish()
end program lock_hint
