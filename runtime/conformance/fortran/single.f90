! SPDX-License-Identifier: Apache-2.0
! The single construct and copyprivate (OpenMP 5.2, 11.1 and 5.7.2).
#include "check.h"
module single_state
  implicit none
  type :: pair
    integer :: a = 1
    real(8) :: b = 2
  end type pair
  integer, save :: per_thread = 0
  !$omp threadprivate(per_thread)
end module single_state

program single
  use omp_lib
  use checks
  use single_state
  implicit none
  integer :: n, k, bad, x, arr(6)
  integer, allocatable :: al(:)
  integer, pointer :: p
  integer, target :: t
  real(8) :: r
  complex(8) :: z
  character(len=9) :: word
  logical :: l
  type(pair) :: q

  call testcase('one thread of the team, each time')
  n = 0
  !$omp parallel private(k) shared(n)
  do k = 1, 60
    !$omp single
    n = n + 1
    !$omp end single
  end do
  !$omp end parallel
  CHECK_EQ(n, 60)

  call testcase('nowait')
  n = 0
  !$omp parallel private(k) shared(n)
  do k = 1, 60
    !$omp single
    !$omp atomic
    n = n + 1
    !$omp end single nowait
  end do
  !$omp end parallel
  CHECK_EQ(n, 60)

  call testcase('the barrier at the end')
  bad = 0
  n = 0
  !$omp parallel private(k) shared(n) reduction(+: bad)
  do k = 1, 30
    !$omp single
    n = k
    !$omp end single
    if (n /= k) bad = bad + 1
    !$omp barrier
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('private and firstprivate on single')
  n = 5
  x = 6
  bad = 0
  !$omp parallel shared(n, x, bad)
  !$omp single private(n) firstprivate(x)
  n = 1
  if (x /= 6) bad = bad + 1
  x = 2
  !$omp end single
  !$omp end parallel
  CHECK(n == 5 .and. x == 6 .and. bad == 0)

  call testcase('copyprivate of scalars')
  bad = 0
  !$omp parallel private(x, r, z, l, word, k) reduction(+: bad)
  do k = 1, 20
    x = -1
    r = -1
    z = 0
    l = .false.
    word = 'none'
    !$omp single
    x = 100 + k
    r = 0.5d0 * k
    z = cmplx(k, -k, 8)
    l = .true.
    word = 'broadcast'
    !$omp end single copyprivate(x, r, z, l, word)
    if (x /= 100 + k .or. r /= 0.5d0 * k .or. z /= cmplx(k, -k, 8)) bad = bad + 1
    if (.not. l .or. word /= 'broadcast') bad = bad + 1
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('copyprivate of an array')
  bad = 0
  !$omp parallel private(arr, k) reduction(+: bad)
  do k = 1, 20
    arr = 0
    !$omp single
    arr = [1, 2, 3, 4, 5, k]
    !$omp end single copyprivate(arr)
    if (sum(arr) /= 15 + k) bad = bad + 1
    !$omp barrier
    arr = omp_get_thread_num()
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('copyprivate of a derived type')
  bad = 0
  !$omp parallel private(q) reduction(+: bad)
  !$omp single
  q%a = 77
  q%b = 7.75d0
  !$omp end single copyprivate(q)
  if (q%a /= 77 .or. q%b /= 7.75d0) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_COPYPRIVATE_ALLOCATABLE
  call testcase('copyprivate of an allocatable')
  bad = 0
  allocate(al(4))
  al = 0
  !$omp parallel firstprivate(al) reduction(+: bad)
  !$omp single
  al = [9, 8, 7, 6]
  !$omp end single copyprivate(al)
  if (any(al /= [9, 8, 7, 6])) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

#ifndef NO_COPYPRIVATE_POINTER
  call testcase('copyprivate of a pointer: its association')
  bad = 0
  t = 3
  !$omp parallel private(p) shared(t) reduction(+: bad)
  nullify(p)
  !$omp single
  p => t
  !$omp end single copyprivate(p)
  if (.not. associated(p, t)) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

  call testcase('copyprivate of a threadprivate variable')
  bad = 0
  !$omp parallel reduction(+: bad)
  per_thread = omp_get_thread_num()
  !$omp single
  per_thread = 4711
  !$omp end single copyprivate(per_thread)
  if (per_thread /= 4711) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('outside of any region')
  n = 0
  !$omp single
  n = n + 1
  !$omp end single
  CHECK_EQ(n, 1)
  call finish()
end program single
