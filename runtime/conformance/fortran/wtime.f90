! SPDX-License-Identifier: Apache-2.0
! omp_get_wtime and omp_get_wtick (OpenMP 5.2, 18.10).
#include "check.h"
program wtime
  use omp_lib
  use checks
  implicit none
  double precision :: t, u, tick
  integer :: k, bad
  integer(8) :: c0, c1, rate

  call testcase('the tick is a positive time of at most a second')
  tick = omp_get_wtick()
  CHECK(tick > 0)
  CHECK(tick <= 1)

  call testcase('time does not go backwards')
  bad = 0
  t = omp_get_wtime()
  do k = 1, 20000
    u = omp_get_wtime()
    if (u < t) bad = bad + 1
    t = u
  end do
  CHECK_EQ(bad, 0)

  call testcase('it advances, in seconds')
  call system_clock(c0, rate)
  t = omp_get_wtime()
  do
    call system_clock(c1)
    if (c1 - c0 > rate / 20) exit
  end do
  u = omp_get_wtime()
  call system_clock(c1)
  CHECK(u - t > 0.03d0)
  CHECK(u - t <= dble(c1 - c0) / rate + 0.02d0)

  call testcase('in every thread')
  bad = 0
  !$omp parallel private(t, u, k) reduction(+: bad)
  t = omp_get_wtime()
  do k = 1, 200
    u = omp_get_wtime()
    if (u < t .or. omp_get_wtick() <= 0) bad = bad + 1
    t = u
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)
  call finish()
end program wtime
