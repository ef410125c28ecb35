! SPDX-License-Identifier: Apache-2.0
! Reductions of arrays: explicit shape, sections, allocatable, dummies (OpenMP 5.2, 5.5.5).
#include "check.h"
program reduction_array
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 60
  integer :: i, a(5), b(-1:1, 2:3), big(2000), t
  integer, allocatable :: al(:)
  real(8) :: r(4), z
  logical :: l(3)
  integer(8) :: w(3)

  t = omp_get_max_threads()
  call testcase('a whole array')
  a = [1, 2, 3, 4, 5]
  !$omp parallel do reduction(+: a)
  do i = 1, n
    a(1 + mod(i, 5)) = a(1 + mod(i, 5)) + 1
  end do
  CHECK(all(a == [13, 14, 15, 16, 17]))

#ifndef NO_REDUCTION_BOUNDS
  call testcase('two dimensions with bounds')
  b = 1
  !$omp parallel do reduction(+: b) schedule(dynamic)
  do i = 1, n
    b(-1, 2) = b(-1, 2) + 1
    b(1, 3) = b(1, 3) + i
  end do
  CHECK_EQ(b(-1, 2), 61)
  CHECK_EQ(b(1, 3), 1831)
  CHECK_EQ(sum(b), 61 + 1831 + 4)

  call testcase('allocatable with bounds')
  allocate(al(-2:4))
  al = 10
  !$omp parallel do reduction(+: al)
  do i = 1, 70
    al(mod(i, 7) - 2) = al(mod(i, 7) - 2) + i
  end do
  CHECK_EQ(sum(al), 70 + 70 * 71 / 2)
  CHECK(lbound(al, 1) == -2 .and. ubound(al, 1) == 4)
  deallocate(al)
#endif

  call testcase('max, min, * on arrays of real')
  r = [0.0d0, 100.0d0, 1.0d0, -5.0d0]
  call three(r)
  CHECK(r(1) == 60.0d0)
  CHECK(r(4) == 60.0d0)

  call testcase('logical and integer(8) arrays')
  l = [.true., .true., .true.]
  w = 0
  !$omp parallel do reduction(.and.: l) reduction(+: w)
  do i = 1, n
    l(1) = l(1) .and. i > 0
    l(2) = l(2) .and. i /= 30
    w(3) = w(3) + 2_8 ** 33
  end do
  CHECK(l(1) .and. .not. l(2) .and. l(3))
  CHECK_EQ(w(3), n * 2_8 ** 33)

  call testcase('allocatable')
  allocate(al(7))
  al = 10
  !$omp parallel do reduction(+: al)
  do i = 1, 70
    al(mod(i, 7) + 1) = al(mod(i, 7) + 1) + i
  end do
  CHECK_EQ(sum(al), 70 + 70 * 71 / 2)
  CHECK_EQ(size(al), 7)

#ifndef NO_REDUCTION_SECTION
  call testcase('an array section: the rest is shared and untouched')
  a = [1, 1, 1, 1, 1]
  !$omp parallel do reduction(+: a(2:4))
  do i = 1, n
    a(2) = a(2) + 1
    a(4) = a(4) + 2
  end do
  CHECK(all(a == [1, 61, 1, 121, 1]))

#endif
#ifndef NO_REDUCTION_ELEMENT
  call testcase('an array element')
  a = 0
  !$omp parallel do reduction(+: a(3:3))
  do i = 1, n
    a(3) = a(3) + i
  end do
  CHECK(all(a == [0, 0, 1830, 0, 0]))
#endif

  call testcase('a large array')
  big = 1
  !$omp parallel reduction(+: big)
  big = big + 2
  !$omp end parallel
  CHECK(all(big == 1 + 2 * t))

  call testcase('assumed shape and explicit shape dummies')
  a = 0
  call dummies(a, 5)
  CHECK(all(a == n / 5))
#ifndef NO_REDUCTION_ASSUMED_SHAPE
  a = 0
  call assumed(a)
  CHECK(all(a == n / 5))
#endif
  call finish()

contains

  subroutine three(v)
    real(8), intent(inout) :: v(4)
    integer :: j
    !$omp parallel do reduction(max: v)
    do j = 1, n
      v(1) = max(v(1), dble(j))
      v(4) = max(v(4), dble(j))
    end do
  end subroutine three

  subroutine dummies(v, m)
    integer, intent(in) :: m
    integer, intent(inout) :: v(m)
    integer :: j
    !$omp parallel do reduction(+: v)
    do j = 1, n
      v(1 + mod(j, m)) = v(1 + mod(j, m)) + 1
    end do
  end subroutine dummies

#ifndef NO_REDUCTION_ASSUMED_SHAPE
  subroutine assumed(v)
    integer, intent(inout) :: v(:)
    integer :: j, m
    m = size(v)
    !$omp parallel do reduction(+: v)
    do j = 1, n
      v(1 + mod(j, m)) = v(1 + mod(j, m)) + 1
    end do
  end subroutine assumed
#endif
end program reduction_array
