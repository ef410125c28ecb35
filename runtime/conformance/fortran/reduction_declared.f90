! SPDX-License-Identifier: Apache-2.0
! declare reduction: combiner, initializer, derived types, operators and intrinsic names (OpenMP 5.2, 5.5.11).
#include "check.h"
module declared
  implicit none
  type :: extent
    integer :: low = huge(1)
    integer :: high = -huge(1)
  end type extent
  type :: vector
    real(8) :: x = 0, y = 0
  end type vector
  interface operator(+)
    module procedure plus
  end interface
contains
  elemental function plus(a, b) result(c)
    type(vector), intent(in) :: a, b
    type(vector) :: c
    c%x = a%x + b%x
    c%y = a%y + b%y
  end function plus
  pure function hull(a, b) result(c)
    type(extent), intent(in) :: a, b
    type(extent) :: c
    c%low = min(a%low, b%low)
    c%high = max(a%high, b%high)
  end function hull
  subroutine join(into, from)
    type(extent), intent(inout) :: into
    type(extent), intent(in) :: from
    into = hull(into, from)
  end subroutine join
  subroutine start(v, original)
    integer, intent(out) :: v
    integer, intent(in) :: original
    v = 0 * original
  end subroutine start
end module declared

program reduction_declared
  use omp_lib
  use checks
  use declared
  implicit none
  !$omp declare reduction(hulls: extent: omp_out = hull(omp_out, omp_in)) initializer(omp_priv = extent())
  !$omp declare reduction(joins: extent: join(omp_out, omp_in)) initializer(omp_priv = extent(huge(1), -huge(1)))
  !$omp declare reduction(+: vector: omp_out = plus(omp_out, omp_in)) initializer(omp_priv = vector(0, 0))
  !$omp declare reduction(digits: integer: omp_out = ior(omp_out, omp_in)) initializer(omp_priv = 0)
  !$omp declare reduction(adds: integer: omp_out = omp_out + omp_in) initializer(start(omp_priv, omp_orig))
  type(extent) :: e
  type(vector) :: v, list(3)
  integer :: i, bits, total, bad

  call testcase('derived type, combiner an expression')
  !$omp parallel do reduction(hulls: e)
  do i = 1, 100
    e%low = min(e%low, i - 40)
    e%high = max(e%high, 3 * i)
  end do
  CHECK_EQ(e%low, -39)
  CHECK_EQ(e%high, 300)

  call testcase('combiner a subroutine')
  e = extent()
  !$omp parallel do reduction(joins: e) schedule(dynamic)
  do i = 1, 100
    e%low = min(e%low, i - 40)
    e%high = max(e%high, 3 * i)
  end do
  CHECK_EQ(e%low, -39)
  CHECK_EQ(e%high, 300)

  call testcase('an operator for a type of ones own')
  v = vector(1, 2)
  !$omp parallel do reduction(+: v)
  do i = 1, 100
    v = v + vector(i, 2 * i)
  end do
  CHECK(v%x == 5051 .and. v%y == 10102)

  call testcase('a name for an intrinsic type')
  bits = 256
  !$omp parallel do reduction(digits: bits)
  do i = 0, 99
    bits = ior(bits, ishft(1, mod(i, 6)))
  end do
  CHECK_EQ(bits, 256 + 63)

  call testcase('initializer a subroutine with omp_orig')
  total = 17
  !$omp parallel do reduction(adds: total)
  do i = 1, 100
    total = total + i
  end do
  CHECK_EQ(total, 5067)

  call testcase('an array of a derived type')
  list = vector(1, 1)
  !$omp parallel do reduction(+: list)
  do i = 1, 99
    list(1 + mod(i, 3)) = list(1 + mod(i, 3)) + vector(i, 1)
  end do
  CHECK(sum(list%x) == 3 + 4950 .and. sum(list%y) == 3 + 99)

  call testcase('on sections and on parallel')
  v = vector(0, 0)
  !$omp parallel sections reduction(+: v)
  v = v + vector(1, 10)
  !$omp section
  v = v + vector(2, 20)
  !$omp end parallel sections
  CHECK(v%x == 3 .and. v%y == 30)
  v = vector(0, 0)
  !$omp parallel reduction(+: v)
  v = v + vector(1, omp_get_thread_num())
  !$omp end parallel
  CHECK(v%x == omp_get_max_threads())
  call finish()
end program reduction_declared
