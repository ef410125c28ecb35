! SPDX-License-Identifier: Apache-2.0
! The barrier construct and the flush construct (OpenMP 5.2, 15.3 and 15.8.5).
#include "check.h"
program barrier_flush
  use omp_lib
  use checks
  implicit none
  integer :: bad, k, me, n, count, phase(0:255), value(0:255), i
  integer :: flag, datum, got

  call testcase('no thread is a phase ahead')
  phase = 0
  bad = 0
  !$omp parallel private(k, me, n, i) shared(phase) reduction(+: bad)
  me = omp_get_thread_num()
  n = omp_get_num_threads()
  do k = 1, 30
    phase(me) = k
    !$omp barrier
    do i = 0, n - 1
      if (phase(i) /= k) bad = bad + 1
    end do
    !$omp barrier
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('values written before are seen after')
  bad = 0
  value = 0
  !$omp parallel private(k, me, n) shared(value) reduction(+: bad)
  me = omp_get_thread_num()
  n = omp_get_num_threads()
  do k = 1, 40
    value(me) = me * 1000 + k
    !$omp barrier
    if (value(mod(me + 1, n)) /= mod(me + 1, n) * 1000 + k) bad = bad + 1
    !$omp barrier
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('many barriers')
  count = 0
  !$omp parallel private(k) shared(count)
  do k = 1, 300
    !$omp barrier
  end do
  !$omp atomic
  count = count + 1
  !$omp end parallel
  CHECK_EQ(count, omp_get_max_threads())

  call testcase('the barrier finishes the tasks of the team')
  bad = 0
  n = 0
  !$omp parallel shared(n) private(k) reduction(+: bad)
  do k = 1, 10
    !$omp task shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp barrier
  !$omp atomic read
  me = n
  if (me /= 10 * omp_get_num_threads()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('barriers in a called subroutine and outside of a region')
  !$omp barrier
  bad = 0
  !$omp parallel num_threads(4) shared(value) reduction(+: bad)
  call meet(value, bad)
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('flush: a producer and a consumer')
  flag = 0
  datum = 0
  got = -1
  !$omp parallel num_threads(2) shared(flag, datum, got) private(k)
  if (omp_get_num_threads() == 2) then
    if (omp_get_thread_num() == 0) then
      datum = 42
      !$omp flush
      !$omp atomic write
      flag = 1
      !$omp flush
    else
      k = 0
      do while (k == 0)
        !$omp flush
        !$omp atomic read
        k = flag
      end do
      !$omp flush
      got = datum
    end if
  else
    got = 42
  end if
  !$omp end parallel
  CHECK_EQ(got, 42)

  call testcase('flush with a list')
  n = 1
  !$omp parallel shared(n, datum) num_threads(2)
  !$omp flush(n, datum)
  !$omp atomic
  n = n + 1
  !$omp flush(n)
  !$omp end parallel
  CHECK_EQ(n, 3)

#ifndef NO_FLUSH_ORDER
  call testcase('flush with acq_rel, release, acquire')
  flag = 0
  datum = 0
  got = -1
  !$omp parallel num_threads(2) shared(flag, datum, got) private(k)
  if (omp_get_num_threads() == 2) then
    if (omp_get_thread_num() == 0) then
      datum = 43
      !$omp flush release
      !$omp atomic write
      flag = 1
    else
      k = 0
      do while (k == 0)
        !$omp atomic read
        k = flag
      end do
      !$omp flush acquire
      got = datum
    end if
    !$omp flush acq_rel
  else
    got = 43
  end if
  !$omp end parallel
  CHECK_EQ(got, 43)
#endif
  call finish()

contains

  subroutine meet(v, wrong)
    integer, intent(inout) :: v(0:), wrong
    v(omp_get_thread_num()) = -1
    !$omp barrier
    if (any(v(0:omp_get_num_threads() - 1) /= -1)) wrong = wrong + 1
  end subroutine meet
end program barrier_flush
