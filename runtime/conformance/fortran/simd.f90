! SPDX-License-Identifier: Apache-2.0
! simd, do simd, declare simd (OpenMP 5.2, 10.4, 11.5, 7.7).
#include "check.h"
module simd_functions
  implicit none
contains
  integer function weigh(x, w)
    integer, intent(in) :: x, w
#ifndef NO_DECLARE_SIMD
    !$omp declare simd(weigh) uniform(w)
#endif
    weigh = x * w + 1
  end function weigh
end module simd_functions

program simd
  use omp_lib
  use checks
  use simd_functions
  implicit none
  integer, parameter :: n = 203
  integer :: a(n), b(n), i, j, s, last, m(9, 11)
  real(8) :: x(n), y(n), d
  logical :: flag

  b = [(i, i = 1, n)]
  call testcase('simd')
  a = 0
  !$omp simd
  do i = 1, n
    a(i) = b(i) * 2
  end do
  CHECK_EQ(sum(a), n * (n + 1))

#ifndef NO_SIMD_LASTPRIVATE
  call testcase('simd with reduction, private, lastprivate')
  s = 5
  last = 0
  !$omp simd reduction(+: s) private(j) lastprivate(last)
  do i = 1, n
    j = b(i)
    s = s + j
    last = j
  end do
  CHECK_EQ(s, 5 + n * (n + 1) / 2)
  CHECK_EQ(last, n)
#endif

  call testcase('safelen and simdlen: a distance that must be kept')
  a(1:8) = 1
  !$omp simd safelen(8) simdlen(4)
  do i = 9, n
    a(i) = a(i - 8) + 1
  end do
  CHECK_EQ(a(n), 1 + (n - 1) / 8)
  CHECK_EQ(a(9), 2)

  call testcase('collapse')
  m = 0
  !$omp simd collapse(2)
  do i = 1, 9
    do j = 1, 11
      m(i, j) = i * j
    end do
  end do
  CHECK_EQ(sum(m), 45 * 66)

  call testcase('do simd in a region, with a schedule')
  a = 0
  s = 0
  !$omp parallel shared(a, b, s)
  !$omp do simd schedule(static, 7) reduction(+: s)
  do i = 1, n
    a(i) = a(i) + b(i)
    s = s + 1
  end do
  !$omp end do simd
  !$omp end parallel
  CHECK_EQ(sum(a), n * (n + 1) / 2)
  CHECK_EQ(s, n)

  call testcase('parallel do simd, real, reduction')
  x = 0.5d0
  y = 2
  d = 0
  !$omp parallel do simd reduction(+: d) schedule(dynamic, 16)
  do i = 1, n
    d = d + x(i) * y(i)
  end do
  CHECK(d == dble(n))

  call testcase('if and declare simd')
  flag = .false.
  a = 0
#ifdef NO_SIMD_IF
  !$omp simd
#else
  !$omp simd if(flag)
#endif
  do i = 1, n
    a(i) = weigh(b(i), 3)
  end do
  CHECK_EQ(sum(a), 3 * n * (n + 1) / 2 + n)

#ifndef NO_SIMD_LINEAR
  call testcase('linear')
  j = 0
  a = 0
  !$omp simd linear(j: 2)
  do i = 1, n
    j = j + 2
    a(i) = j
  end do
  CHECK_EQ(a(n), 2 * n)
  CHECK_EQ(j, 2 * n)
#endif

#ifndef NO_ORDERED_SIMD
  call testcase('ordered simd in simd')
  s = 0
  !$omp simd
  do i = 1, n
    a(i) = i
    !$omp ordered simd
    s = s + a(i)
    !$omp end ordered
  end do
  CHECK_EQ(s, n * (n + 1) / 2)
#endif
  call finish()
end program simd
