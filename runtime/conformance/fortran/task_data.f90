! SPDX-License-Identifier: Apache-2.0
! Data of tasks: firstprivate of every sort of variable is taken when the task is generated (OpenMP 5.2, 5.4.4, 12.5).
#include "check.h"
module task_types
  implicit none
  type :: point
    integer :: x = 1
    real(8) :: y = 2
    character(len=3) :: name = 'abc'
  end type point
  type :: bag
    integer :: n = 0
    integer, allocatable :: items(:)
  end type bag
end module task_types

program task_data
  use omp_lib
  use checks
  use task_types
  implicit none
  integer :: k, bad, n, arr(5), b(2, -1:1)
  integer, allocatable :: al(:), d(:, :), s, gone(:)
  integer, pointer :: p
  integer, target :: t(20)
  type(point) :: q
  type(bag) :: g
  character(len=8) :: word
  complex(8) :: z

  call testcase('firstprivate scalars: the value at creation')
  bad = 0
  !$omp parallel shared(bad) private(n, z, word)
  !$omp single
  do k = 1, 30
    n = k * k
    z = cmplx(k, -k, 8)
    write (word, '(i8)') k
    !$omp task firstprivate(k, n, z, word) shared(bad)
    if (n /= k * k .or. z /= cmplx(k, -k, 8) .or. word(7:8) /= tail(k)) then
      !$omp atomic
      bad = bad + 1
    end if
    n = 0
    word = 'spoilt'
    !$omp end task
    n = -1
    z = 0
    word = 'changed'
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('firstprivate arrays')
  bad = 0
  !$omp parallel shared(bad) private(arr, b)
  !$omp single
  do k = 1, 20
    arr = k
    b = -k
    !$omp task firstprivate(arr, b, k) shared(bad)
    if (any(arr /= k) .or. any(b /= -k) .or. lbound(b, 2) /= -1) then
      !$omp atomic
      bad = bad + 1
    end if
    arr = 0
    !$omp end task
    arr = 99
    b = 99
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_TASK_ALLOCATABLE
  call testcase('firstprivate allocatable arrays of changing size')
  bad = 0
  !$omp parallel shared(bad) private(al, d, s)
  !$omp single
  do k = 1, 20
    if (allocated(al)) deallocate(al)
    if (allocated(d)) deallocate(d)
    if (.not. allocated(s)) allocate(s)
    allocate(al(2:k + 1), d(0:k, 3))
    al = k
    d = 2 * k
    s = 3 * k
    !$omp task firstprivate(al, d, s, k) shared(bad)
    if (size(al) /= k .or. any(al /= k) .or. lbound(al, 1) /= 2 .or. s /= 3 * k .or. &
        size(d) /= 3 * (k + 1) .or. any(d /= 2 * k) .or. lbound(d, 1) /= 0) then
      !$omp atomic
      bad = bad + 1
    end if
    al = 0
    !$omp end task
    al = -1
    d = -1
    s = -1
  end do
  !$omp taskwait
  if (allocated(al)) deallocate(al)
  if (allocated(d)) deallocate(d)
  if (allocated(s)) deallocate(s)
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('firstprivate of an unallocated allocatable')
  bad = 0
  !$omp parallel shared(bad, gone)
  !$omp single
  !$omp task firstprivate(gone) shared(bad)
  if (allocated(gone)) bad = bad + 1
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

  call testcase('firstprivate derived type')
  bad = 0
  !$omp parallel shared(bad) private(q)
  !$omp single
  do k = 1, 20
    q%x = k
    q%y = k * 0.5d0
    q%name = tail(k)
    !$omp task firstprivate(q, k) shared(bad)
    if (q%x /= k .or. q%y /= k * 0.5d0 .or. q%name /= tail(k)) then
      !$omp atomic
      bad = bad + 1
    end if
    q%x = 0
    !$omp end task
    q%x = -1
    q%name = 'xyz'
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_TASK_COMPONENTS
  call testcase('firstprivate derived type with an allocatable component')
  bad = 0
  !$omp parallel shared(bad, g)
  !$omp single
  do k = 1, 20
    if (allocated(g%items)) deallocate(g%items)
    allocate(g%items(k))
    g%items = k
    g%n = k
    !$omp task firstprivate(g, k) shared(bad)
    if (g%n /= k .or. size(g%items) /= k .or. any(g%items /= k)) then
      !$omp atomic
      bad = bad + 1
    end if
    g%items = 0
    !$omp end task
    g%items = -1
    g%n = -1
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

  call testcase('firstprivate pointer; the target is shared')
  t = 0
  !$omp parallel shared(t) private(p)
  !$omp single
  do k = 1, 20
    p => t(k)
    !$omp task firstprivate(p, k)
    p = k
    !$omp end task
    nullify(p)
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(sum(t), 210)

  call testcase('private in a task')
  n = 6
  bad = 0
  !$omp parallel shared(n, bad)
  !$omp single
  do k = 1, 10
    !$omp task private(n) firstprivate(k) shared(bad)
    n = k
    if (n /= k) bad = bad + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 6)
  CHECK_EQ(bad, 0)

  call testcase('implicit: private variables of the creator are firstprivate in its tasks')
  bad = 0
  !$omp parallel private(n) shared(bad)
  n = 100 + omp_get_thread_num()
  call implicit_ones(n, bad)
  !$omp task shared(bad)
  if (n < 100 .or. n >= 100 + omp_get_num_threads()) then
    !$omp atomic
    bad = bad + 1
  end if
  !$omp end task
  n = -1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('default(firstprivate) and default(shared) of a task')
  n = 5
  bad = 0
  arr = 0
  !$omp parallel shared(n, bad, arr)
  !$omp single
  !$omp task default(firstprivate) shared(bad)
  n = n + 1
  if (n /= 6) bad = bad + 1
  !$omp end task
  !$omp taskwait
  if (n /= 5) bad = bad + 1
  !$omp task default(shared)
  arr(3) = 8
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(arr(3) == 8 .and. n == 5)

  call testcase('dummies: assumed shape and explicit shape in tasks')
  t = 0
  !$omp parallel shared(t)
  !$omp single
  call fill(t, t(2:20:2), 20)
  !$omp end single
  !$omp end parallel
  CHECK_EQ(sum(t(2:20:2)), 50)
  CHECK_EQ(sum(t(1:19:2)), 10)

  call testcase('a large firstprivate array')
  call large()
  call finish()

contains

  pure function tail(i) result(two)
    integer, intent(in) :: i
    character(len=2) :: two
    two(1:1) = merge(' ', achar(48 + i / 10), i < 10)
    two(2:2) = achar(48 + mod(i, 10))
  end function tail

  subroutine implicit_ones(value, wrong)
    integer, intent(in) :: value
    integer, intent(inout) :: wrong
    integer :: copy
    copy = value
    !$omp task firstprivate(copy) shared(wrong)
    if (copy < 100) then
      !$omp atomic
      wrong = wrong + 1
    end if
    !$omp end task
    copy = -1
  end subroutine implicit_ones

  subroutine fill(whole, part, m)
    integer, intent(in) :: m
    integer, intent(inout), target :: whole(m)
    integer, intent(inout) :: part(:)
    integer :: i
    do i = 1, size(part)
      !$omp task firstprivate(i) shared(part)
      part(i) = 5
      !$omp end task
    end do
    do i = 1, m, 2
      !$omp task firstprivate(i) shared(whole)
      whole(i) = 1
      !$omp end task
    end do
    !$omp taskwait
  end subroutine fill

  subroutine large()
    integer :: block(5000), i, wrong
    wrong = 0
    !$omp parallel shared(wrong) private(block)
    !$omp single
    do i = 1, 10
      block = i
      !$omp task firstprivate(block, i) shared(wrong)
      if (any(block /= i)) then
        !$omp atomic
        wrong = wrong + 1
      end if
      !$omp end task
      block = 0
    end do
    !$omp end single
    !$omp end parallel
    CHECK_EQ(wrong, 0)
  end subroutine large
end program task_data
