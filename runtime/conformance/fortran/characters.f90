! SPDX-License-Identifier: Apache-2.0
! Character variables, deferred lengths, polymorphic and procedure arguments in regions (OpenMP 5.2, 5.1.1, 5.4).
#include "check.h"
module shapes
  implicit none
  type :: shape
    integer :: sides = 0
  contains
    procedure :: count => count_sides
  end type shape
  type, extends(shape) :: square
    integer :: width = 2
  contains
    procedure :: count => count_square
  end type square
  abstract interface
    integer function change(x)
      integer, intent(in) :: x
    end function change
  end interface
contains
  integer function count_sides(self)
    class(shape), intent(in) :: self
    count_sides = self%sides
  end function count_sides
  integer function count_square(self)
    class(square), intent(in) :: self
    count_square = 4 * self%width
  end function count_square
  integer function plus_one(x)
    integer, intent(in) :: x
    plus_one = x + 1
  end function plus_one
end module shapes

program characters
  use omp_lib
  use checks
  use shapes
  implicit none
  character(len=12) :: word, list(3)
  character(len=:), allocatable :: text
  integer :: bad, i, s
  class(shape), allocatable :: one
  type(square) :: q

  call testcase('private, firstprivate and lastprivate of fixed length')
  word = 'first'
  bad = 0
  !$omp parallel num_threads(4) firstprivate(word) private(i) reduction(+: bad)
  if (word /= 'first') bad = bad + 1
  write (word, '(i12)') omp_get_thread_num()
  !$omp barrier
  read (word, *) i
  if (i /= omp_get_thread_num()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(word == 'first')
  !$omp parallel do lastprivate(word)
  do i = 1, 33
    write (word, '(a, i0)') 'nr ', i
  end do
  CHECK(word == 'nr 33')

  call testcase('arrays of characters')
  list = 'x'
  bad = 0
  !$omp parallel num_threads(3) firstprivate(list) reduction(+: bad)
  if (any(list /= 'x')) bad = bad + 1
  list = 'changed'
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(all(list == 'x'))
  !$omp parallel do shared(list)
  do i = 1, 3
    write (list(i), '(i0)') i * 11
  end do
  CHECK(list(1) == '11' .and. list(2) == '22' .and. list(3) == '33')

  call testcase('length of a dummy')
  call of_length('abcdefg', 7)
  call of_length('xyz', 3)

#ifndef NO_DEFERRED_LENGTH
  call testcase('deferred length')
  text = 'deferred length'
  bad = 0
  !$omp parallel num_threads(3) firstprivate(text) reduction(+: bad)
  if (len(text) /= 15 .or. text /= 'deferred length') bad = bad + 1
  text(1:3) = 'xyz'
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(text == 'deferred length')
#endif

  call testcase('shared allocatable of deferred length')
  text = ''
  !$omp parallel shared(text)
  !$omp single
  text = repeat('ab', 10)
  !$omp end single
  !$omp end parallel
  CHECK_EQ(len(text), 20)

  call testcase('a polymorphic variable, shared')
  allocate(square :: one)
  s = 0
  !$omp parallel do shared(one) reduction(+: s)
  do i = 1, 10
    s = s + one%count()
  end do
  CHECK_EQ(s, 80)

  call testcase('type bound procedures of a firstprivate variable')
  q%width = 5
  s = 0
  !$omp parallel do firstprivate(q) reduction(+: s)
  do i = 1, 10
    s = s + q%count()
  end do
  CHECK_EQ(s, 200)

  call testcase('a dummy procedure')
  call with_procedure(plus_one, s)
  CHECK_EQ(s, 65)

  call testcase('an optional argument that is absent')
  call with_optional(s)
  CHECK_EQ(s, 10)
  call with_optional(s, 3)
  CHECK_EQ(s, 30)
  call finish()

contains

  subroutine of_length(name, n)
    character(len=*), intent(in) :: name
    integer, intent(in) :: n
    character(len=len(name)) :: copy
    integer :: wrong
    copy = name
    wrong = 0
    !$omp parallel num_threads(3) firstprivate(copy) reduction(+: wrong)
    if (len(copy) /= n .or. copy /= name) wrong = wrong + 1
    copy = ' '
    !$omp end parallel
    CHECK_EQ(wrong, 0)
    CHECK(copy == name)
  end subroutine of_length

  subroutine with_procedure(f, total)
    procedure(change) :: f
    integer, intent(out) :: total
    integer :: k
    total = 0
    !$omp parallel do reduction(+: total)
    do k = 1, 10
      total = total + f(k)
    end do
  end subroutine with_procedure

  subroutine with_optional(total, factor)
    integer, intent(out) :: total
    integer, intent(in), optional :: factor
    integer :: k
    total = 0
    !$omp parallel do reduction(+: total) shared(factor)
    do k = 1, 10
      if (present(factor)) then
        total = total + factor
      else
        total = total + 1
      end if
    end do
  end subroutine with_optional
end program characters
