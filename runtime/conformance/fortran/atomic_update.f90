! SPDX-License-Identifier: Apache-2.0
! Atomic updates: every operator and intrinsic of the specification, for the types that have it (OpenMP 5.2, 15.8.4).
! Each thread does what makes the result independent of the order, except where the final value is checked for one thread.
#include "check.h"
program atomic_update
  use omp_lib
  use checks
  implicit none
  integer, parameter :: rounds = 64
  integer :: k, t
  integer(1) :: i1
  integer(2) :: i2
  integer(4) :: i4, arr(4)
  integer(8) :: i8
  real(4) :: r4
  real(8) :: r8
  complex(4) :: c4
  complex(8) :: c8
  logical(1) :: l1
  logical(4) :: l4
  logical(8) :: l8

  t = omp_get_max_threads()

  call testcase('integer +: kinds 1, 2, 4, 8')
  i1 = 0
  i2 = 0
  i4 = 0
  i8 = 2_8 ** 40
  !$omp parallel do shared(i1, i2, i4, i8)
  do k = 1, rounds
    !$omp atomic
    i1 = i1 + 1_1
    !$omp atomic update
    i2 = i2 + int(k, 2)
    !$omp atomic
    i4 = k + i4
    !$omp atomic
    i8 = i8 + k
  end do
  CHECK_EQ(int(i1), rounds)
  CHECK_EQ(int(i2), 2080)
  CHECK_EQ(i4, 2080)
  CHECK_EQ(i8, 2_8 ** 40 + 2080)

  call testcase('integer -: both orders of the operands')
  i1 = 100
  i2 = 0
  i4 = 10000
  i8 = 0
  !$omp parallel do shared(i1, i2, i4, i8)
  do k = 1, rounds
    !$omp atomic
    i1 = i1 - 1_1
    !$omp atomic
    i2 = 7_2 - i2
    !$omp atomic
    i4 = i4 - k
    !$omp atomic
    i8 = 5_8 - i8
  end do
  CHECK_EQ(int(i1), 36)
  CHECK_EQ(int(i2), 0)
  CHECK_EQ(i4, 10000 - 2080)
  CHECK_EQ(i8, 0_8)

  call testcase('integer * and /')
  i1 = 1
  i2 = 1
  i4 = 1
  i8 = 1
  !$omp parallel do shared(i1, i2, i4, i8)
  do k = 1, 12
    !$omp atomic
    i4 = i4 * 3
    !$omp atomic
    i8 = 7 * i8
    if (k <= 5) then
      !$omp atomic
      i1 = i1 * 2_1
      !$omp atomic
      i2 = 3_2 * i2
    end if
  end do
  CHECK_EQ(int(i1), 32)
  CHECK_EQ(int(i2), 243)
  CHECK_EQ(i4, 3 ** 12)
  CHECK_EQ(i8, 7_8 ** 12)
  !$omp parallel do shared(i1, i2, i4, i8)
  do k = 1, 12
    !$omp atomic
    i4 = i4 / 3
    !$omp atomic
    i8 = i8 / 7
    if (k <= 5) then
      !$omp atomic
      i1 = i1 / 2_1
      !$omp atomic
      i2 = i2 / 3_2
    end if
  end do
  CHECK_EQ(int(i1) + int(i2) + i4, 3)
  CHECK_EQ(i8, 1_8)

  call testcase('integer / with the variable as divisor')
  i4 = 5
  i8 = 10
  do k = 1, 3
    !$omp atomic
    i4 = 100 / i4
    !$omp atomic
    i8 = 10000_8 / i8
  end do
  CHECK_EQ(i4, 20)
  CHECK_EQ(i8, 1000_8)

  call testcase('max and min')
  i1 = 0
  i2 = 0
  i4 = 0
  i8 = 0
  r4 = 1000
  r8 = -1
  !$omp parallel do shared(i1, i2, i4, i8, r4, r8)
  do k = 1, rounds
    !$omp atomic
    i1 = max(i1, int(k, 1))
    !$omp atomic
    i2 = min(i2, int(-k, 2))
    !$omp atomic
    i4 = max(k * 3, i4)
    !$omp atomic
    i8 = min(i8, -k * 2_8 ** 33)
    !$omp atomic
    r4 = min(r4, k * 0.5)
    !$omp atomic
    r8 = max(r8, k * 0.25d0)
  end do
  CHECK_EQ(int(i1), 64)
  CHECK_EQ(int(i2), -64)
  CHECK_EQ(i4, 192)
  CHECK_EQ(i8, -64 * 2_8 ** 33)
  CHECK(r4 == 0.5)
  CHECK(r8 == 16.0d0)

  call testcase('iand, ior, ieor')
  i1 = -1
  i2 = 0
  i4 = 0
  i8 = -1
  !$omp parallel do shared(i1, i2, i4, i8)
  do k = 0, 5
    !$omp atomic
    i1 = iand(i1, not(int(2 ** k, 1)))
    !$omp atomic
    i2 = ior(i2, int(2 ** k, 2))
    !$omp atomic
    i4 = ieor(2 ** k, i4)
    !$omp atomic
    i8 = iand(not(2_8 ** (k + 40)), i8)
  end do
  CHECK_EQ(int(i1), -64)
  CHECK_EQ(int(i2), 63)
  CHECK_EQ(i4, 63)
  CHECK_EQ(i8, -1_8 - 63 * 2_8 ** 40)
  !$omp parallel do shared(i1, i2, i4, i8)
  do k = 0, 5
    !$omp atomic
    i1 = ior(int(2 ** k, 1), i1)
    !$omp atomic
    i2 = ieor(i2, int(2 ** k, 2))
    !$omp atomic
    i4 = iand(i4, 2 ** k)
    !$omp atomic
    i8 = ior(i8, 2_8 ** (k + 40))
  end do
  CHECK_EQ(int(i1), -1)
  CHECK_EQ(int(i2), 0)
  CHECK_EQ(i4, 0)
  CHECK_EQ(i8, -1_8)

  call testcase('real: + - * / of kinds 4 and 8')
  r4 = 0
  r8 = 0
  !$omp parallel do shared(r4, r8)
  do k = 1, rounds
    !$omp atomic
    r4 = r4 + 0.25
    !$omp atomic
    r8 = k + r8
  end do
  CHECK(r4 == 16.0)
  CHECK(r8 == 2080.0d0)
  !$omp parallel do shared(r4, r8)
  do k = 1, rounds
    !$omp atomic
    r4 = r4 - 0.5
    !$omp atomic
    r8 = 8.0d0 - r8
  end do
  CHECK(r4 == -16.0)
  CHECK(r8 == 2080.0d0)
  r4 = 1
  r8 = 1
  !$omp parallel do shared(r4, r8)
  do k = 1, 20
    !$omp atomic
    r4 = r4 * 2
    !$omp atomic
    r8 = r8 / 2
  end do
  CHECK(r4 == 2.0 ** 20)
  CHECK(r8 == 2.0d0 ** (-20))
  r4 = 4
  r8 = 0.5d0
  !$omp atomic
  r4 = 16.0 / r4
  !$omp atomic
  r8 = 3.0d0 / r8
  CHECK(r4 == 4.0 .and. r8 == 6.0d0)

#ifndef NO_ATOMIC_COMPLEX
  call testcase('complex: + - * /')
  c4 = 0
  c8 = 0
  !$omp parallel do shared(c4, c8)
  do k = 1, rounds
    !$omp atomic
    c4 = c4 + (0.5, -1.0)
    !$omp atomic
    c8 = c8 - cmplx(k, -k, 8)
  end do
  CHECK(c4 == (32.0, -64.0))
  CHECK(c8 == (-2080.0d0, 2080.0d0))
  c4 = 1
  c8 = (1.0d0, 1.0d0)
  !$omp parallel do shared(c4, c8)
  do k = 1, 8
    !$omp atomic
    c4 = c4 * (0.0, 1.0)
    !$omp atomic
    c8 = c8 * 2
  end do
  CHECK(c4 == (1.0, 0.0))
  CHECK(c8 == (256.0d0, 256.0d0))
  !$omp parallel do shared(c8)
  do k = 1, 8
    !$omp atomic
    c8 = c8 / 2
  end do
  CHECK(c8 == (1.0d0, 1.0d0))
#endif

  call testcase('logical: and, or, eqv, neqv of kinds 1, 4, 8')
  l1 = .true.
  l4 = .false.
  l8 = .true.
  !$omp parallel do shared(l1, l4, l8)
  do k = 1, rounds
    !$omp atomic
    l1 = l1 .and. logical(k /= 33, 1)
    !$omp atomic
    l4 = l4 .or. k == 17
    !$omp atomic
    l8 = l8 .eqv. logical(mod(k, 2) == 0, 8)
  end do
  CHECK(.not. logical(l1))
  CHECK(l4)
  CHECK(logical(l8))
  l1 = .false.
  l4 = .true.
  l8 = .false.
  !$omp parallel do shared(l1, l4, l8)
  do k = 1, rounds + 1
    !$omp atomic
    l1 = l1 .neqv. logical(.true., 1)
    !$omp atomic
    l4 = k /= 3 .and. l4
    !$omp atomic
    l8 = logical(k == 3, 8) .or. l8
  end do
  CHECK(logical(l1))
  CHECK(.not. l4)
  CHECK(logical(l8))

  call testcase('array elements, neighbours untouched')
  arr = 0
  !$omp parallel do shared(arr)
  do k = 1, 4 * rounds
    !$omp atomic
    arr(1 + mod(k, 4)) = arr(1 + mod(k, 4)) + 1
  end do
  CHECK(all(arr == rounds))

  call testcase('all threads on one word')
  i4 = 0
  !$omp parallel private(k) shared(i4)
  do k = 1, 1000
    !$omp atomic
    i4 = i4 + 1
  end do
  !$omp end parallel
  CHECK_EQ(i4, 1000 * t)

  call testcase('memory order clauses')
  i4 = 0
  !$omp parallel do shared(i4)
  do k = 1, rounds
    !$omp atomic seq_cst
    i4 = i4 + 1
    !$omp atomic update relaxed
    i4 = i4 + 1
    !$omp atomic relaxed hint(omp_sync_hint_uncontended)
    i4 = i4 + 1
    !$omp atomic update release
    i4 = i4 + 1
    !$omp atomic hint(omp_sync_hint_contended)
    i4 = i4 + 1
  end do
  CHECK_EQ(i4, 5 * rounds)

  call testcase('the expression is converted to the variable')
  i4 = 0
  r8 = 0
  i8 = 0
  !$omp parallel do shared(i4, r8, i8)
  do k = 1, rounds
    !$omp atomic
    i4 = i4 + 2.0
    !$omp atomic
    r8 = r8 + k
    !$omp atomic
    i8 = i8 + k * 1.0d0
  end do
  CHECK_EQ(i4, 2 * rounds)
  CHECK(r8 == 2080.0d0)
  CHECK_EQ(i8, 2080_8)
  call finish()
end program atomic_update
