! SPDX-License-Identifier: Apache-2.0
! The sections construct (OpenMP 5.2, 11.3).
#include "check.h"
program sections
  use omp_lib
  use checks
  implicit none
  integer :: c(8), n, m, k, bad, list(3)

  call testcase('each section once')
  c = 0
  !$omp parallel shared(c)
  !$omp sections
  !$omp section
  c(1) = c(1) + 1
  !$omp section
  c(2) = c(2) + 1
  !$omp section
  c(3) = c(3) + 1
  !$omp section
  c(4) = c(4) + 1
  !$omp section
  c(5) = c(5) + 1
  !$omp end sections
  !$omp end parallel
  CHECK(all(c == [1, 1, 1, 1, 1, 0, 0, 0]))

  call testcase('the first section needs no directive; one section alone')
  n = 0
  !$omp parallel shared(n)
  !$omp sections
  n = n + 1
  !$omp end sections
  !$omp end parallel
  CHECK_EQ(n, 1)

  call testcase('parallel sections')
  c = 0
  !$omp parallel sections shared(c)
  c(1) = 1
  !$omp section
  c(2) = 2
  !$omp section
  c(3) = 3
  !$omp end parallel sections
  CHECK_EQ(sum(c), 6)

  call testcase('sections many times with nowait')
  c = 0
  !$omp parallel private(k) shared(c)
  do k = 1, 50
    !$omp sections
    !$omp section
    !$omp atomic
    c(1) = c(1) + 1
    !$omp section
    !$omp atomic
    c(2) = c(2) + 1
    !$omp section
    !$omp atomic
    c(3) = c(3) + 1
    !$omp end sections nowait
  end do
  !$omp end parallel
  CHECK(all(c(1:3) == 50))

  call testcase('a barrier at the end')
  bad = 0
  c = 0
  !$omp parallel shared(c) reduction(+: bad)
  !$omp sections
  !$omp section
  c(1) = 1
  !$omp section
  c(2) = 1
  !$omp section
  c(3) = 1
  !$omp end sections
  if (sum(c) /= 3) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('lastprivate takes the lexically last section')
  n = 0
  list = 0
  !$omp parallel sections lastprivate(n, list)
  n = 1
  list = 1
  !$omp section
  n = 2
  list = 2
  !$omp section
  n = 3
  list = [3, 4, 5]
  !$omp end parallel sections
  CHECK_EQ(n, 3)
  CHECK(all(list == [3, 4, 5]))

  call testcase('private and firstprivate')
  n = 40
  m = 7
  bad = 0
  !$omp parallel sections private(m) firstprivate(n) reduction(+: bad)
  m = 1
  n = n + m
  if (n < 41) bad = bad + 1
  !$omp section
  m = 2
  n = n + m
  if (n < 42) bad = bad + 1
  !$omp end parallel sections
  CHECK_EQ(bad, 0)
  CHECK(n == 40 .and. m == 7)

  call testcase('reduction over sections')
  n = 100
  k = 1
  !$omp parallel sections reduction(+: n) reduction(*: k)
  n = n + 1
  k = k * 2
  !$omp section
  n = n + 2
  k = k * 3
  !$omp section
  n = n + 3
  k = k * 5
  !$omp end parallel sections
  CHECK_EQ(n, 106)
  CHECK_EQ(k, 30)

  call testcase('more sections than threads and fewer')
  c = 0
  !$omp parallel num_threads(2) shared(c)
  call eight(c)
  !$omp end parallel
  CHECK(all(c == 1))
  c = 0
  !$omp parallel num_threads(12) shared(c)
  call eight(c)
  !$omp end parallel
  CHECK(all(c == 1))

  call testcase('orphaned outside of any region')
  c = 0
  call eight(c)
  CHECK(all(c == 1))
  call finish()

contains

  subroutine eight(a)
    integer, intent(inout) :: a(8)
    !$omp sections
    a(1) = a(1) + 1
    !$omp section
    a(2) = a(2) + 1
    !$omp section
    a(3) = a(3) + 1
    !$omp section
    a(4) = a(4) + 1
    !$omp section
    a(5) = a(5) + 1
    !$omp section
    a(6) = a(6) + 1
    !$omp section
    a(7) = a(7) + 1
    !$omp section
    a(8) = a(8) + 1
    !$omp end sections
  end subroutine eight
end program sections
