! SPDX-License-Identifier: Apache-2.0
! The scan directive with inscan reductions (OpenMP 5.2, 5.6).
#include "check.h"
program reduction_scan
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 97
  integer :: a(n), b(n), i, s, bad, m

  a = [(mod(i * 13, 17), i = 1, n)]
  call testcase('inclusive')
  s = 5
  !$omp parallel do reduction(inscan, +: s)
  do i = 1, n
    s = s + a(i)
    !$omp scan inclusive(s)
    b(i) = s
  end do
  bad = 0
  do i = 1, n
    if (b(i) /= 5 + sum(a(1:i))) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(s, 5 + sum(a))

  call testcase('exclusive')
  s = 7
  !$omp parallel do reduction(inscan, +: s)
  do i = 1, n
    b(i) = s
    !$omp scan exclusive(s)
    s = s + a(i)
  end do
  bad = 0
  do i = 1, n
    if (b(i) /= 7 + sum(a(1:i-1))) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(s, 7 + sum(a))

  call testcase('max, in a do within parallel')
  m = -1
  !$omp parallel shared(m, b)
  !$omp do reduction(inscan, max: m)
  do i = 1, n
    m = max(m, a(i))
    !$omp scan inclusive(m)
    b(i) = m
  end do
  !$omp end do
  !$omp end parallel
  bad = 0
  do i = 1, n
    if (b(i) /= maxval(a(1:i))) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)

  call testcase('simd')
  s = 0
  !$omp simd reduction(inscan, +: s)
  do i = 1, n
    s = s + a(i)
    !$omp scan inclusive(s)
    b(i) = s
  end do
  CHECK_EQ(b(n), sum(a))
  CHECK_EQ(b(10), sum(a(1:10)))
  call finish()
end program reduction_scan
