! SPDX-License-Identifier: Apache-2.0
! Data clauses of the do construct: lastprivate, firstprivate, private, linear (OpenMP 5.2, 5.4).
#include "check.h"
program do_data
  use omp_lib
  use checks
  implicit none
  type :: pair
    integer :: a = 0, b = 0
  end type pair
  integer :: i, n, m, bad, arr(4), index
  integer, allocatable :: al(:)
  real(8) :: x
  complex(4) :: z
  character(len=5) :: word
  logical :: seen
  type(pair) :: p

  call testcase('lastprivate scalar, every schedule')
  n = 0
  !$omp parallel do lastprivate(n) schedule(static)
  do i = 1, 37
    n = i
  end do
  CHECK_EQ(n, 37)
  !$omp parallel do lastprivate(n) schedule(static, 2)
  do i = 1, 37
    n = 2 * i
  end do
  CHECK_EQ(n, 74)
  !$omp parallel do lastprivate(n) schedule(dynamic)
  do i = 1, 37
    n = 3 * i
  end do
  CHECK_EQ(n, 111)
  !$omp parallel do lastprivate(n) schedule(guided, 2)
  do i = 1, 37
    n = 4 * i
  end do
  CHECK_EQ(n, 148)
  !$omp parallel do lastprivate(n) schedule(runtime)
  do i = 1, 37
    n = 5 * i
  end do
  CHECK_EQ(n, 185)

  call testcase('lastprivate array, real, complex, character, logical')
  !$omp parallel do lastprivate(arr, x, z, word, seen)
  do i = 1, 20
    arr = [i, i + 1, i + 2, i + 3]
    x = i * 0.5d0
    z = cmplx(i, -i)
    write (word, '(i5)') i
    seen = i == 20
  end do
  CHECK(all(arr == [20, 21, 22, 23]))
  CHECK(x == 10.0d0)
  CHECK(z == (20.0, -20.0))
  CHECK(word == '   20')
  CHECK(seen)

  call testcase('lastprivate derived type')
  !$omp parallel do lastprivate(p) schedule(dynamic)
  do i = 1, 20
    p%a = i
    p%b = -i
  end do
  CHECK(p%a == 20 .and. p%b == -20)

  call testcase('lastprivate allocatable')
  allocate(al(3))
  al = 0
  !$omp parallel do lastprivate(al)
  do i = 1, 11
    al = i
  end do
  CHECK(size(al) == 3 .and. all(al == 11))

  call testcase('firstprivate and lastprivate of one variable')
  n = 100
  bad = 0
  !$omp parallel do firstprivate(n) lastprivate(n) reduction(+: bad) schedule(static, 1)
  do i = 1, 16
    if (n /= 100 .and. n >= i) bad = bad + 1
    n = i - 1
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(n, 15)

  call testcase('firstprivate is set once for a thread, not for an iteration')
  n = 0
  m = 0
  !$omp parallel do firstprivate(n) reduction(+: m) schedule(dynamic)
  do i = 1, 64
    n = n + 1
    if (n == 1) m = m + 1
  end do
  CHECK(m >= 1 .and. m <= omp_get_max_threads())

  call testcase('the loop index is private, and lastprivate on request')
  index = -5
  !$omp parallel do
  do index = 1, 10
  end do
  CHECK_EQ(index, -5)
  !$omp parallel do lastprivate(index)
  do index = 1, 10
  end do
  CHECK_EQ(index, 11)

  call testcase('private variables in a do inside of a region')
  bad = 0
  n = 3
  !$omp parallel shared(n) reduction(+: bad)
  !$omp do private(n)
  do i = 1, 40
    n = i
    if (n /= i) bad = bad + 1
  end do
  !$omp end do
  if (n /= 3) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('lastprivate of a shared variable is visible after the barrier')
  bad = 0
  !$omp parallel shared(n) reduction(+: bad)
  !$omp do lastprivate(n) schedule(dynamic, 2)
  do i = 1, 33
    n = i
  end do
  !$omp end do
  if (n /= 33) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

#ifndef NO_LASTPRIVATE_CONDITIONAL
  call testcase('lastprivate(conditional)')
  n = -1
  !$omp parallel do lastprivate(conditional: n) schedule(dynamic)
  do i = 1, 50
    if (mod(i, 7) == 0) n = i
  end do
  CHECK_EQ(n, 49)
  n = -1
  !$omp parallel do lastprivate(conditional: n) schedule(static, 3)
  do i = 1, 50
    if (i == 13) n = i
  end do
  CHECK_EQ(n, 13)
  n = -1
  !$omp parallel do lastprivate(conditional: n)
  do i = 1, 50
    if (i > 50) n = i
  end do
  CHECK_EQ(n, -1)
#endif

#ifndef NO_LINEAR
  call testcase('linear')
  n = 10
  bad = 0
  !$omp parallel do linear(n: 3) reduction(+: bad) schedule(dynamic, 2)
  do i = 1, 20
    if (n /= 10 + 3 * (i - 1)) bad = bad + 1
    n = n + 3
  end do
  CHECK_EQ(bad, 0)
  CHECK_EQ(n, 70)
#endif
  call finish()
end program do_data
