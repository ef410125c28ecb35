! SPDX-License-Identifier: Apache-2.0
! taskgroup and taskwait: descendants against children (OpenMP 5.2, 15.4 and 15.5).
#include "check.h"
program task_group
  use omp_lib
  use checks
  implicit none
  integer :: n, k, bad, x

  call testcase('taskgroup waits for grandchildren')
  bad = 0
  !$omp parallel shared(n) reduction(+: bad) private(k)
  !$omp single
  do k = 1, 15
    n = 0
    !$omp taskgroup
    !$omp task shared(n)
    !$omp task shared(n)
    !$omp task shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
    !$omp atomic
    n = n + 1
    !$omp end task
    !$omp atomic
    n = n + 1
    !$omp end task
    !$omp end taskgroup
    if (n /= 3) bad = bad + 1
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('only the tasks created inside of it')
  bad = 0
  x = 0
  n = 0
  !$omp parallel shared(n, x) reduction(+: bad)
  !$omp single
  !$omp task shared(x)
  !$omp atomic
  x = x + 1
  !$omp end task
  !$omp taskgroup
  do k = 1, 10
    !$omp task shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end taskgroup
  if (n /= 10) bad = bad + 1
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(x, 1)

  call testcase('nested groups')
  bad = 0
  n = 0
  x = 0
  !$omp parallel shared(n, x) reduction(+: bad)
  !$omp single
  !$omp taskgroup
  !$omp task shared(x)
  !$omp atomic
  x = x + 1
  !$omp end task
  !$omp taskgroup
  do k = 1, 5
    !$omp task shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end taskgroup
  if (n /= 5) bad = bad + 1
  !$omp end taskgroup
  if (x /= 1) bad = bad + 1
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('a group inside of tasks')
  bad = 0
  x = 0
  !$omp parallel shared(bad, x)
  !$omp single
  do k = 1, 8
    !$omp task shared(bad, x) private(n)
    n = 0
    !$omp taskgroup
    call spawn(n)
    !$omp end taskgroup
    if (n /= 6) then
      !$omp atomic
      bad = bad + 1
    end if
    !$omp atomic
    x = x + n
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(x, 48)

  call testcase('an empty group, also outside of a region')
  !$omp taskgroup
  !$omp end taskgroup
  n = 0
  !$omp taskgroup
  !$omp task shared(n)
  n = 4
  !$omp end task
  !$omp end taskgroup
  CHECK_EQ(n, 4)

  call testcase('every thread its own group')
  bad = 0
  !$omp parallel private(n, k) reduction(+: bad)
  do k = 1, 10
    n = 0
    !$omp taskgroup
    call spawn(n)
    !$omp end taskgroup
    if (n /= 6) bad = bad + 1
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('taskwait waits for children, their children finish by the end of the region')
  n = 0
  x = 0
  bad = 0
  !$omp parallel shared(n, x) reduction(+: bad)
  !$omp single
  do k = 1, 10
    !$omp task shared(n, x)
    !$omp task shared(x)
    !$omp atomic
    x = x + 1
    !$omp end task
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp taskwait
  if (n /= 10) bad = bad + 1
  !$omp end single nowait
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(x, 10)
  call finish()

contains

  subroutine spawn(counter)
    integer, intent(inout) :: counter
    integer :: i
    do i = 1, 3
      !$omp task shared(counter)
      !$omp task shared(counter)
      !$omp atomic
      counter = counter + 1
      !$omp end task
      !$omp atomic
      counter = counter + 1
      !$omp end task
    end do
  end subroutine spawn
end program task_group
