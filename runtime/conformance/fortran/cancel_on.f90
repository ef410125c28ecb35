! SPDX-License-Identifier: Apache-2.0
! Cancellation, with OMP_CANCELLATION=true (OpenMP 5.2, chapter 16).
#include "check.h"
program cancel_on
  use omp_lib
  use checks
  implicit none
  integer :: n, k, m, past, c(400), teams

  teams = omp_get_max_threads()
  call testcase('the ICV')
  CHECK(omp_get_cancellation())
  if (.not. omp_get_cancellation()) then
    call finish()
    stop 1
  end if

#ifndef NO_CANCEL_PARALLEL
  call testcase('cancel parallel: nobody passes a point that comes after it')
  past = 0
  n = 0
  !$omp parallel shared(past, n)
  !$omp barrier
  if (omp_get_thread_num() == 0) then
    n = 1
    !$omp cancel parallel
    past = past + 1
  end if
  !$omp barrier
  !$omp atomic
  past = past + 1
  !$omp end parallel
  CHECK_EQ(n, 1)
  CHECK_EQ(past, 0)
#endif

#ifndef NO_CANCEL_PARALLEL
  call testcase('the next region is whole again')
  n = 0
  do k = 1, 10
    !$omp parallel shared(n)
    !$omp atomic
    n = n + 1
    !$omp barrier
    if (mod(k, 2) == 0) then
      !$omp cancel parallel
    end if
    !$omp end parallel
  end do
  CHECK_EQ(n, 10 * teams)
#endif

  call testcase('cancel do: not all iterations, and a barrier afterwards')
  n = 0
  past = 0
  c = 0
  !$omp parallel shared(n, past, c)
  !$omp do schedule(dynamic)
  do k = 1, 400
    !$omp cancellation point do
    c(k) = 1
    if (k == 5) then
      !$omp cancel do
      c(k) = 2
    end if
  end do
  !$omp end do
  !$omp end parallel
  CHECK_EQ(c(5), 1)

#ifndef NO_CANCEL_DO_AFTER
  call testcase('after a cancelled do the region goes on')
  n = 0
  past = 0
  !$omp parallel shared(n, past)
  !$omp do schedule(dynamic)
  do k = 1, 400
    if (k == 5) then
      !$omp cancel do
    end if
    !$omp cancellation point do
  end do
  !$omp end do
  !$omp atomic
  past = past + 1
  !$omp barrier
  !$omp do schedule(static)
  do k = 1, 400
    !$omp atomic
    n = n + 1
  end do
  !$omp end do
  !$omp end parallel
  CHECK_EQ(past, teams)
  CHECK_EQ(n, 400)
#endif

  call testcase('cancel do in one thread alone: the rest of the loop is left')
  c = 0
  !$omp parallel do num_threads(1) shared(c)
  do k = 1, 400
    c(k) = 1
    if (k == 20) then
      !$omp cancel do
    end if
  end do
  CHECK_EQ(sum(c), 20)

  call testcase('cancel with if(false) does nothing')
  c = 0
  !$omp parallel do shared(c)
  do k = 1, 400
    c(k) = 1
    !$omp cancel do if(k > 1000)
  end do
  CHECK(all(c == 1))

  call testcase('cancel sections')
  n = 0
  past = 0
  !$omp parallel num_threads(1) shared(n)
  !$omp sections
  !$omp section
  n = n + 1
  !$omp cancel sections
  n = n + 100
  !$omp section
  n = n + 1000
  !$omp end sections
  !$omp end parallel
  CHECK_EQ(n, 1)

  call testcase('cancel taskgroup: tasks that have not begun may be discarded, the group ends')
  n = 0
  past = 0
  !$omp parallel shared(n, past)
  !$omp single
  !$omp taskgroup
  !$omp task shared(past) if(.false.)
  !$omp cancel taskgroup
  past = 1
  !$omp end task
  do k = 1, 100
    !$omp task shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end taskgroup
  m = n
  !$omp task shared(n)
  !$omp atomic
  n = n + 1
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK_EQ(past, 0)
  CHECK(m >= 0 .and. m <= 100)
  CHECK_EQ(n, m + 1)

  call testcase('cancellation point taskgroup in a running task')
  n = 0
  past = 0
  m = 0
  !$omp parallel num_threads(2) shared(n, past, m)
  !$omp single
  !$omp taskgroup
  !$omp task shared(m)
  !$omp cancel taskgroup
  !$omp atomic
  m = m + 1
  !$omp end task
  !$omp task shared(n, past) if(.false.)
  n = 1
  !$omp cancel taskgroup
  !$omp cancellation point taskgroup
  past = 1
  !$omp end task
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(past, 0)
  CHECK_EQ(m, 0)

#ifndef NO_CANCEL_PARALLEL
  call testcase('cancel parallel from a nested call, with cancellation points')
  n = 0
  past = 0
  !$omp parallel shared(n, past)
  do
    !$omp atomic
    n = n + 1
    if (omp_get_thread_num() == 0) then
      !$omp cancel parallel
    end if
    !$omp cancellation point parallel
    if (n < 0) exit
  end do
  !$omp atomic
  past = past + 1
  !$omp end parallel
  CHECK_EQ(past, 0)
  CHECK(n >= 1)
#endif

#ifndef NO_CANCEL_PARALLEL
  call testcase('a barrier is a cancellation point')
  past = 0
  !$omp parallel num_threads(4) shared(past)
  if (omp_get_num_threads() > 1 .and. omp_get_thread_num() == omp_get_num_threads() - 1) then
    !$omp cancel parallel
  end if
  !$omp barrier
  if (omp_get_num_threads() > 1) then
    !$omp atomic
    past = past + 1
  end if
  !$omp end parallel
  CHECK_EQ(past, 0)
#endif
  call finish()
end program cancel_on
