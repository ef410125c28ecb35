! SPDX-License-Identifier: Apache-2.0
! threadprivate module variables, saved locals, and copyin (OpenMP 5.2, 5.2 and 5.7.1).
#include "check.h"
module tp_vars
  implicit none
  type :: point
    integer :: x = 3, y = 4
  end type point
  integer, save :: counter = 11
  integer, save :: list(4) = [1, 2, 3, 4]
  real(8), save :: r = 0.5d0
  type(point), save :: p
  integer, allocatable, save :: al(:)
  integer, pointer, save :: ptr => null()
  character(len=6), save :: word = 'abcdef'
  !$omp threadprivate(counter, list, r, p, al, ptr, word)
end module tp_vars

module tp_local
  implicit none
contains
  integer function next_of_thread()
    integer, save :: calls = 0
    !$omp threadprivate(calls)
    calls = calls + 1
    next_of_thread = calls
  end function next_of_thread
end module tp_local

program threadprivate_module
  use omp_lib
  use checks
  use tp_vars
  use tp_local
  implicit none
  integer :: bad, me, n, k, team
  integer, target :: t

  call testcase('each thread starts with the initial value')
  bad = 0
  !$omp parallel num_threads(4) reduction(+: bad)
  if (counter /= 11 .or. any(list /= [1, 2, 3, 4]) .or. r /= 0.5d0) bad = bad + 1
  if (p%x /= 3 .or. p%y /= 4 .or. word /= 'abcdef') bad = bad + 1
  if (allocated(al) .or. associated(ptr)) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('a value persists from region to region of the same size')
  bad = 0
  !$omp parallel num_threads(4) private(me) reduction(+: bad)
  me = omp_get_thread_num()
  counter = 100 + me
  list = me
  r = me
  p%x = me
  word = char(65 + me)
  !$omp end parallel
  do k = 1, 5
    !$omp parallel num_threads(4) private(me) reduction(+: bad)
    me = omp_get_thread_num()
    if (counter /= 100 + me .or. any(list /= me) .or. r /= me) bad = bad + 1
    if (p%x /= me .or. p%y /= 4 .or. word /= char(65 + me)) bad = bad + 1
    !$omp end parallel
  end do
  CHECK_EQ(bad, 0)

  call testcase('the primary thread has the copy of the serial part')
  counter = -5
  n = 0
  !$omp parallel num_threads(3) shared(n)
  if (omp_get_thread_num() == 0) n = counter
  !$omp end parallel
  CHECK_EQ(n, -5)

  call testcase('copyin of scalars, arrays, derived types, characters')
  counter = 77
  list = [9, 8, 7, 6]
  r = -1.5d0
  p%x = 20
  p%y = 30
  word = 'copied'
  bad = 0
  !$omp parallel num_threads(4) copyin(counter, list, r, p, word) reduction(+: bad)
  if (counter /= 77 .or. any(list /= [9, 8, 7, 6]) .or. r /= -1.5d0) bad = bad + 1
  if (p%x /= 20 .or. p%y /= 30 .or. word /= 'copied') bad = bad + 1
  !$omp barrier
  counter = omp_get_thread_num()
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(counter, 0)

  call testcase('allocatable: each thread its own')
  bad = 0
  !$omp parallel num_threads(4) private(me) reduction(+: bad)
  me = omp_get_thread_num()
  if (allocated(al)) bad = bad + 1
  allocate(al(me + 1))
  al = me
  !$omp end parallel
  !$omp parallel num_threads(4) private(me) reduction(+: bad)
  me = omp_get_thread_num()
  if (.not. allocated(al)) then
    bad = bad + 1
  else
    if (size(al) /= me + 1 .or. any(al /= me)) bad = bad + 1
    deallocate(al)
  end if
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_COPYIN_ALLOCATABLE
  call testcase('copyin of an allocatable')
  allocate(al(3))
  al = [5, 6, 7]
  bad = 0
  !$omp parallel num_threads(4) copyin(al) reduction(+: bad)
  if (.not. allocated(al)) then
    bad = bad + 1
  else
    if (size(al) /= 3 .or. any(al /= [5, 6, 7])) bad = bad + 1
  end if
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(all(al == [5, 6, 7]))
#endif

#ifndef NO_COPYIN_POINTER
  call testcase('pointer, with copyin')
  t = 8
  ptr => t
  bad = 0
  !$omp parallel num_threads(4) copyin(ptr) reduction(+: bad)
  if (.not. associated(ptr)) then
    bad = bad + 1
  else
    if (ptr /= 8) bad = bad + 1
  end if
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

  call testcase('a saved local variable')
  bad = 0
  !$omp parallel num_threads(4) private(k) reduction(+: bad)
  do k = 1, 5
    if (next_of_thread() /= k) bad = bad + 1
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('visible in tasks and called procedures of the thread')
  bad = 0
  !$omp parallel num_threads(4) reduction(+: bad)
  counter = omp_get_thread_num()
  call same(bad)
  !$omp task if(.false.) shared(bad)
  call same(bad)
  !$omp end task
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_COPYIN_IF
  call testcase('copyin with a region of one thread')
  counter = 5
  bad = 0
  !$omp parallel if(.false.) copyin(counter) reduction(+: bad)
  if (counter /= 5) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif
  call finish()

contains

  subroutine same(wrong)
    integer, intent(inout) :: wrong
    if (counter /= omp_get_thread_num()) wrong = wrong + 1
  end subroutine same
end program threadprivate_module
