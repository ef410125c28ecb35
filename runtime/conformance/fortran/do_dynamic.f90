! SPDX-License-Identifier: Apache-2.0
! The do construct with the schedules dynamic, guided, auto and runtime (OpenMP 5.2, 11.5.3).
#include "check.h"
program do_dynamic
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 257
  integer :: who(n), count(n), i, k, chunk, bad, last(0:255)
  integer(omp_sched_kind) :: kind
  integer(omp_sched_kind), parameter :: kinds(4) = [omp_sched_static, omp_sched_dynamic, omp_sched_guided, &
      omp_sched_auto]

  call testcase('dynamic: each iteration once')
  count = 0
  !$omp parallel do schedule(dynamic)
  do i = 1, n
    count(i) = count(i) + 1
  end do
  CHECK(all(count == 1))

  call testcase('dynamic with a chunk: a chunk stays with one thread')
  do chunk = 1, 12, 3
    who = -1
    !$omp parallel do schedule(dynamic, chunk)
    do i = 1, n
      who(i) = omp_get_thread_num()
    end do
    bad = 0
    do i = 1, n
      if (who(i) /= who(1 + (i - 1) / chunk * chunk)) bad = bad + 1
    end do
    CHECK_EQ(bad, 0)
    CHECK(all(who >= 0))
  end do

  call testcase('guided: each once, chunks do not grow below the minimum')
  do chunk = 1, 9, 4
    count = 0
    !$omp parallel do schedule(guided, chunk)
    do i = 1, n
      count(i) = count(i) + 1
    end do
    CHECK(all(count == 1))
  end do

  call testcase('guided: a thread change only after chunk iterations')
  who = -1
  !$omp parallel do schedule(guided, 8)
  do i = 1, n
    who(i) = omp_get_thread_num()
  end do
  bad = 0
  k = 1
  do i = 2, n
    if (who(i) /= who(i - 1)) then
      if (i - k < 8) bad = bad + 1
      k = i
    end if
  end do
  CHECK_EQ(bad, 0)

  call testcase('auto')
  count = 0
  !$omp parallel do schedule(auto)
  do i = 1, n
    count(i) = count(i) + 1
  end do
  CHECK(all(count == 1))

  call testcase('runtime, as omp_set_schedule says')
  do k = 1, 4
    do chunk = 1, 7, 3
      call omp_set_schedule(kinds(k), chunk)
      call omp_get_schedule(kind, i)
      CHECK_EQ(iand(kind, 255), kinds(k))
      if (kinds(k) /= omp_sched_auto) then
        CHECK_EQ(i, chunk)
      end if
      count = 0
      who = -1
      !$omp parallel do schedule(runtime)
      do i = 1, n
        count(i) = count(i) + 1
        who(i) = omp_get_thread_num()
      end do
      CHECK(all(count == 1))
      if (kinds(k) == omp_sched_static) then
        CHECK_EQ(who(1), 0)
        CHECK(all(who(1:chunk) == 0))
      end if
    end do
  end do

  call testcase('monotonic: a thread sees its iterations in increasing order')
  last = 0
  bad = 0
  !$omp parallel do schedule(monotonic: dynamic, 2) reduction(+: bad)
  do i = 1, n
    if (i <= last(omp_get_thread_num())) bad = bad + 1
    last(omp_get_thread_num()) = i
  end do
  CHECK_EQ(bad, 0)

  call testcase('nonmonotonic')
  count = 0
  !$omp parallel do schedule(nonmonotonic: dynamic, 2)
  do i = 1, n
    count(i) = count(i) + 1
  end do
  !$omp parallel do schedule(nonmonotonic: guided)
  do i = 1, n
    count(i) = count(i) + 1
  end do
  CHECK(all(count == 2))

  call testcase('many loops with nowait one after another')
  count = 0
  !$omp parallel private(i, k)
  do k = 1, 40
    !$omp do schedule(dynamic, 3)
    do i = 1, n
      !$omp atomic
      count(i) = count(i) + 1
    end do
    !$omp end do nowait
  end do
  !$omp end parallel
  CHECK(all(count == 40))

  call testcase('loops of different schedules with nowait')
  count = 0
  !$omp parallel private(i)
  !$omp do schedule(dynamic)
  do i = 1, n
    !$omp atomic
    count(i) = count(i) + 1
  end do
  !$omp end do nowait
  !$omp do schedule(guided)
  do i = 1, n
    !$omp atomic
    count(i) = count(i) + 1
  end do
  !$omp end do nowait
  !$omp do schedule(static, 2)
  do i = 1, n
    !$omp atomic
    count(i) = count(i) + 1
  end do
  !$omp end do nowait
  !$omp do schedule(runtime)
  do i = 1, n
    !$omp atomic
    count(i) = count(i) + 1
  end do
  !$omp end do nowait
  !$omp end parallel
  CHECK(all(count == 4))

  call testcase('chunk larger than the loop')
  who = -1
  !$omp parallel do schedule(dynamic, 1000)
  do i = 1, n
    who(i) = omp_get_thread_num()
  end do
  CHECK(all(who == who(1)))

  call testcase('a long loop in small pieces')
  k = 0
  !$omp parallel do schedule(dynamic, 7) reduction(+: k)
  do i = 1, 100000
    k = k + mod(i, 3)
  end do
  CHECK_EQ(k, 100000)
  call finish()
end program do_dynamic
