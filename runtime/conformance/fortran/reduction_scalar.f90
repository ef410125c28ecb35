! SPDX-License-Identifier: Apache-2.0
! Reductions of scalars: all operators and intrinsics, kinds, constructs (OpenMP 5.2, 5.5).
#include "check.h"
program reduction_scalar
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 100
  integer :: i, s, p, lo, hi, b1, b2, b3, t, d, bad
  integer(1) :: s1
  integer(2) :: s2
  integer(8) :: s8, m8
  real(4) :: r4, x4
  real(8) :: r8, x8, y8
  complex(4) :: c4
  complex(8) :: c8, p8
  logical :: l1, l2, l3, l4
  logical(1) :: k1

  t = omp_get_max_threads()

  call testcase('integer: + - * with initial values')
  s = 1000
  d = 1000
  p = 3
  !$omp parallel do reduction(+: s) reduction(*: p)
  do i = 1, n
    s = s + i
    if (mod(i, 20) == 0) p = p * 2
  end do
  CHECK_EQ(s, 6050)
  CHECK_EQ(p, 96)

#ifndef NO_REDUCTION_MINUS
  call testcase('integer -: partial results are added')
  d = 1000
  !$omp parallel do reduction(-: d)
  do i = 1, n
    d = d - i
  end do
  CHECK_EQ(d, 1000 - 5050)
#endif

  call testcase('integer kinds 1, 2, 8')
  s1 = 1
  s2 = 10
  s8 = 2_8 ** 40
  !$omp parallel do reduction(+: s1, s2, s8)
  do i = 1, n
    s1 = s1 + 1_1
    s2 = s2 + int(i, 2)
    s8 = s8 + i * 2_8 ** 32
  end do
  CHECK_EQ(int(s1), 101)
  CHECK_EQ(int(s2), 5060)
  CHECK_EQ(s8, 2_8 ** 40 + 5050 * 2_8 ** 32)

  call testcase('max and min, also when the initial value wins')
  hi = -huge(hi)
  lo = huge(lo)
  m8 = 5
  x8 = -1.0d300
  x4 = 1.0e30
  y8 = 1.0d300
  !$omp parallel do reduction(max: hi, m8, x8, y8) reduction(min: lo, x4)
  do i = 1, n
    hi = max(hi, mod(i * 37, 101))
    lo = min(lo, mod(i * 37, 101))
    m8 = max(m8, int(-i, 8))
    x8 = max(x8, i * 0.5d0)
    x4 = min(x4, i - 50.0)
    y8 = max(y8, dble(i))
  end do
  CHECK_EQ(hi, 100)
  CHECK_EQ(lo, 1)
  CHECK_EQ(m8, 5_8)
  CHECK(x8 == 50.0d0)
  CHECK(x4 == -49.0)
  CHECK(y8 == 1.0d300)

  call testcase('iand, ior, ieor')
  b1 = -1
  b2 = 64
  b3 = 5
  !$omp parallel do reduction(iand: b1) reduction(ior: b2) reduction(ieor: b3)
  do i = 0, n - 1
    b1 = iand(b1, not(ishft(1, mod(i, 5))))
    b2 = ior(b2, ishft(1, mod(i, 5)))
    b3 = ieor(b3, i)
  end do
  CHECK_EQ(b1, -32)
  CHECK_EQ(b2, 95)
  d = 5
  do i = 0, n - 1
    d = ieor(d, i)
  end do
  CHECK_EQ(b3, d)

  call testcase('logical: .and. .or. .eqv. .neqv.')
  l1 = .true.
  l2 = .false.
  l3 = .true.
  l4 = .false.
  !$omp parallel do reduction(.and.: l1) reduction(.or.: l2) reduction(.eqv.: l3) reduction(.neqv.: l4)
  do i = 1, n + 1
    l1 = l1 .and. i > 0
    l2 = l2 .or. i > n + 5
    l3 = l3 .eqv. i /= 7
    l4 = l4 .neqv. .true.
  end do
  CHECK(l1)
  CHECK(.not. l2)
  CHECK(.not. l3)
  CHECK(l4)
  !$omp parallel do reduction(.and.: l1) reduction(.or.: l2)
  do i = 1, n
    l1 = l1 .and. i /= 77
    l2 = l2 .or. i == 77
  end do
  CHECK(.not. l1)
  CHECK(l2)

#ifndef NO_REDUCTION_LOGICAL1
  call testcase('logical kind 1')
  k1 = .true.
  !$omp parallel do reduction(.and.: k1)
  do i = 1, n
    k1 = k1 .and. logical(i < n, 1)
  end do
  CHECK(.not. logical(k1))
#endif

  call testcase('real: + * of exact values')
  r4 = 1
  r8 = 1
  x8 = 1
  !$omp parallel do reduction(+: r4, r8) reduction(*: x8)
  do i = 1, n
    r4 = r4 + 0.25
    r8 = r8 + i
    x8 = x8 * 2
  end do
  CHECK(r4 == 26.0)
  CHECK(r8 == 5051.0d0)
  CHECK(x8 == 2.0d0 ** 100)

#ifndef NO_REDUCTION_COMPLEX
  call testcase('complex: + *')
  c4 = (1.0, 1.0)
  c8 = 0
  p8 = (1.0d0, 0.0d0)
  !$omp parallel do reduction(+: c4, c8) reduction(*: p8)
  do i = 1, n
    c4 = c4 + (0.5, -0.5)
    c8 = c8 + cmplx(i, -i, 8)
    p8 = p8 * (0.0d0, 1.0d0)
  end do
  CHECK(c4 == (51.0, -49.0))
  CHECK(c8 == (5050.0d0, -5050.0d0))
  CHECK(p8 == (1.0d0, 0.0d0))
#endif

  call testcase('on parallel')
  s = 5
  hi = 0
  !$omp parallel reduction(+: s) reduction(max: hi)
  s = s + omp_get_thread_num() + 1
  hi = omp_get_thread_num()
  !$omp end parallel
  CHECK_EQ(s, 5 + t * (t + 1) / 2)
  CHECK_EQ(hi, t - 1)

  call testcase('on do inside of parallel, several times, every schedule')
  s = 0
  bad = 0
  !$omp parallel shared(s) reduction(+: bad)
  !$omp do reduction(+: s) schedule(dynamic, 3)
  do i = 1, n
    s = s + i
  end do
  !$omp end do
  if (s /= 5050) bad = bad + 1
  !$omp barrier
  !$omp do reduction(+: s) schedule(guided)
  do i = 1, n
    s = s + i
  end do
  !$omp end do
  if (s /= 10100) bad = bad + 1
  !$omp barrier
  !$omp do reduction(+: s) schedule(static, 1)
  do i = 1, n
    s = s + i
  end do
  !$omp end do nowait
  !$omp barrier
  if (s /= 15150) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(s, 15150)

  call testcase('many reductions in one clause')
  s = 0
  d = 0
  p = 0
  r8 = 0
  s8 = 0
  !$omp parallel do reduction(+: s, d, p, r8, s8)
  do i = 1, n
    s = s + 1
    d = d + 2
    p = p + 3
    r8 = r8 + 4
    s8 = s8 + 5
  end do
  CHECK(s == 100 .and. d == 200 .and. p == 300 .and. r8 == 400 .and. s8 == 500)

  call testcase('of a dummy argument and of a pointer target')
  s = 7
  call by_reference(s)
  CHECK_EQ(s, 7 + 5050)

  call testcase('with if(false) and with one thread')
  s = 3
  !$omp parallel reduction(+: s) if(.false.)
  s = s + 10
  !$omp end parallel
  CHECK_EQ(s, 13)
  !$omp parallel reduction(+: s) num_threads(1)
  s = s + 10
  !$omp end parallel
  CHECK_EQ(s, 23)
  call finish()

contains

  subroutine by_reference(total)
    integer, intent(inout) :: total
    integer :: j
    !$omp parallel do reduction(+: total)
    do j = 1, n
      total = total + j
    end do
  end subroutine by_reference
end program reduction_scalar
