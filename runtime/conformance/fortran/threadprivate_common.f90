! SPDX-License-Identifier: Apache-2.0
! threadprivate common blocks and copyin of them (OpenMP 5.2, 5.2 and 5.7.1).
#include "check.h"
subroutine store(value)
  implicit none
  integer, intent(in) :: value
  integer :: a, b(3)
  real(8) :: c
  common /block/ a, b, c
  !$omp threadprivate(/block/)
  a = value
  b = value + 1
  c = value + 2
end subroutine store

integer function total()
  implicit none
  integer :: a, b(3)
  real(8) :: c
  common /block/ a, b, c
  !$omp threadprivate(/block/)
  total = a + sum(b) + nint(c)
end function total

block data initial
  implicit none
  integer :: d, e(2)
  common /given/ d, e
  !$omp threadprivate(/given/)
  data d /42/, e /7, 8/
end block data initial

program threadprivate_common
  use omp_lib
  use checks
  implicit none
  integer :: a, b(3), d, e(2), bad, me, k
  real(8) :: c
  integer :: shared_one, shared_two
  integer, external :: total
  common /block/ a, b, c
  common /given/ d, e
  common /plain/ shared_one, shared_two
  !$omp threadprivate(/block/, /given/)

  call testcase('block data gives each thread its initial values')
  bad = 0
  !$omp parallel num_threads(4) reduction(+: bad)
  if (d /= 42 .or. e(1) /= 7 .or. e(2) /= 8) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('one copy for a thread, the same in all program units')
  bad = 0
  !$omp parallel num_threads(4) private(me) reduction(+: bad)
  me = omp_get_thread_num()
  call store(10 * me)
  !$omp barrier
  if (a /= 10 * me .or. any(b /= 10 * me + 1) .or. c /= 10 * me + 2) bad = bad + 1
  if (total() /= 50 * me + 5) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('it persists')
  do k = 1, 4
    !$omp parallel num_threads(4) reduction(+: bad)
    if (total() /= 50 * omp_get_thread_num() + 5) bad = bad + 1
    !$omp end parallel
  end do
  CHECK_EQ(bad, 0)

#ifndef NO_COPYIN_COMMON
  call testcase('copyin of the whole block')
  call store(1000)
  bad = 0
  !$omp parallel num_threads(4) copyin(/block/) reduction(+: bad)
  if (total() /= 5005) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

  call testcase('copyin of members')
  call store(1)
  bad = 0
  !$omp parallel num_threads(4) reduction(+: bad)
  call store(50)
  !$omp end parallel
  a = 3
  b = [4, 5, 6]
  !$omp parallel num_threads(4) copyin(a, b) reduction(+: bad)
  if (a /= 3 .or. any(b /= [4, 5, 6]) .or. c /= 52) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('a common block that is not threadprivate is shared; private and firstprivate of it')
  shared_one = 1
  shared_two = 2
  bad = 0
#ifndef NO_PRIVATE_COMMON
  !$omp parallel num_threads(4) private(/plain/) reduction(+: bad)
  shared_one = omp_get_thread_num()
  shared_two = -shared_one
  !$omp barrier
  if (shared_one /= omp_get_thread_num() .or. shared_two /= -shared_one) bad = bad + 1
  !$omp end parallel
#endif
  CHECK_EQ(bad, 0)
  CHECK(shared_one == 1 .and. shared_two == 2)
  !$omp parallel num_threads(4) firstprivate(shared_one) reduction(+: bad)
  if (shared_one /= 1) bad = bad + 1
  shared_one = 9
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(shared_one, 1)

  call testcase('large teams after small ones')
  bad = 0
  !$omp parallel num_threads(8) reduction(+: bad)
  if (omp_get_thread_num() >= 4) then
    if (d /= 42) bad = bad + 1
  end if
  d = 1000 + omp_get_thread_num()
  !$omp barrier
  if (d /= 1000 + omp_get_thread_num()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  call finish()
end program threadprivate_common
