! SPDX-License-Identifier: Apache-2.0
! Atomic read and write of all types and orders (OpenMP 5.2, 15.8.4).
#include "check.h"
program atomic_read_write
  use omp_lib
  use checks
  implicit none
  integer(1) :: i1, j1
  integer(2) :: i2, j2
  integer(4) :: i4, j4
  integer(8) :: i8, j8
  real(4) :: r4, s4
  real(8) :: r8, s8
  complex(4) :: c4, d4
  complex(8) :: c8, d8
  logical(4) :: l4, m4
  integer :: bad, k, turn, seen
  integer, pointer :: p
  integer, target :: t

  call testcase('write, then read, all types')
  i1 = 0
  i2 = 0
  i4 = 0
  i8 = 0
  r4 = 0
  r8 = 0
  c4 = 0
  c8 = 0
  l4 = .false.
  bad = 0
  !$omp parallel shared(i1, i2, i4, i8, r4, r8, c4, c8, l4) private(j1, j2, j4, j8, s4, s8, d4, d8, m4) reduction(+: bad)
  !$omp atomic write
  i1 = 12_1
  !$omp atomic write
  i2 = -3000_2
  !$omp atomic write
  i4 = 123456
  !$omp atomic write
  i8 = 2_8 ** 50
  !$omp atomic write
  r4 = 1.5
  !$omp atomic write
  r8 = -2.25d0
#ifndef NO_ATOMIC_COMPLEX
  !$omp atomic write
  c4 = (1.0, 2.0)
  !$omp atomic write
  c8 = (3.0d0, 4.0d0)
#endif
  !$omp atomic write
  l4 = .true.
  !$omp barrier
  !$omp atomic read
  j1 = i1
  !$omp atomic read
  j2 = i2
  !$omp atomic read
  j4 = i4
  !$omp atomic read
  j8 = i8
  !$omp atomic read
  s4 = r4
  !$omp atomic read
  s8 = r8
#ifndef NO_ATOMIC_COMPLEX
  !$omp atomic read
  d4 = c4
  !$omp atomic read
  d8 = c8
#else
  d4 = (1.0, 2.0)
  d8 = (3.0d0, 4.0d0)
#endif
  !$omp atomic read
  m4 = l4
  if (j1 /= 12 .or. j2 /= -3000 .or. j4 /= 123456 .or. j8 /= 2_8 ** 50) bad = bad + 1
  if (s4 /= 1.5 .or. s8 /= -2.25d0 .or. d4 /= (1.0, 2.0) .or. d8 /= (3.0d0, 4.0d0) .or. .not. m4) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('a read is never a mixture of two writes')
  i8 = 0
  r8 = 0
  bad = 0
  !$omp parallel shared(i8, r8) private(k, j8, s8) reduction(+: bad)
  do k = 1, 400
    !$omp atomic write
    i8 = (2_8 ** 32 + 1) * (omp_get_thread_num() + 1)
    !$omp atomic read
    j8 = i8
    if (iand(j8, 2_8 ** 32 - 1) /= ishft(j8, -32)) bad = bad + 1
    !$omp atomic write
    r8 = -1.0d0 / 3.0d0
    !$omp atomic read
    s8 = r8
    if (s8 /= -1.0d0 / 3.0d0) bad = bad + 1
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_ATOMIC_COMPLEX
  call testcase('a complex of 16 bytes is whole too')
  c8 = (0.0d0, 0.0d0)
  bad = 0
  !$omp parallel shared(c8) private(k, d8) reduction(+: bad)
  do k = 1, 300
    !$omp atomic write
    c8 = cmplx(k, k, 8)
    !$omp atomic read
    d8 = c8
    if (real(d8) /= aimag(d8)) bad = bad + 1
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

  call testcase('orders: release and acquire hand over plain data')
  turn = 0
  i4 = 0
  seen = 0
  !$omp parallel num_threads(2) shared(turn, i4, seen) private(k, j4)
  if (omp_get_num_threads() == 2) then
    if (omp_get_thread_num() == 0) then
      i4 = 99
      !$omp atomic write release
      turn = 1
    else
      j4 = 0
      do while (j4 == 0)
        !$omp atomic read acquire
        j4 = turn
      end do
      seen = i4
    end if
  else
    seen = 99
  end if
  !$omp end parallel
  CHECK_EQ(seen, 99)

  call testcase('seq_cst and relaxed')
  i4 = 0
  !$omp parallel shared(i4) private(j4)
  !$omp atomic write seq_cst
  i4 = 5
  !$omp atomic read seq_cst
  j4 = i4
  !$omp atomic write relaxed
  i4 = 5
  !$omp atomic read relaxed
  j4 = i4
  !$omp end parallel
  CHECK_EQ(i4, 5)

  call testcase('through a pointer, with conversion')
  p => t
  t = 0
  !$omp parallel shared(p) private(j4)
  !$omp atomic write
  p = 31
  !$omp atomic read
  j4 = p
  !$omp end parallel
  CHECK_EQ(t, 31)
  call finish()
end program atomic_read_write
