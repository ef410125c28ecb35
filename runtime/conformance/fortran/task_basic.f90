! SPDX-License-Identifier: Apache-2.0
! Explicit tasks: all of them run once, children and siblings, taskwait, taskyield (OpenMP 5.2, 12.5, 15.5).
#include "check.h"
program task_basic
  use omp_lib
  use checks
  implicit none
  integer :: n, k, bad, done(200), team, x

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('one creator: each task once')
  done = 0
  !$omp parallel shared(done)
  !$omp single
  do k = 1, 200
    !$omp task firstprivate(k) shared(done)
    !$omp atomic
    done(k) = done(k) + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK(all(done == 1))
#endif

  call testcase('all threads create')
  n = 0
  !$omp parallel private(k) shared(n)
  do k = 1, 40
    !$omp task shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end parallel
  CHECK_EQ(n, 40 * omp_get_max_threads())

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('taskwait waits for the children')
  bad = 0
  !$omp parallel reduction(+: bad)
  !$omp single
  done = 0
  do k = 1, 50
    !$omp task firstprivate(k) shared(done)
    done(k) = k
    !$omp end task
  end do
  !$omp taskwait
  if (sum(done(1:50)) /= 1275) bad = bad + 1
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

  call testcase('recursion: a Fibonacci number')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  n = fib(12)
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 144)

  call testcase('a tree: tasks that create tasks')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  call tree(6, n)
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 127)

  call testcase('outside of a parallel region')
  n = 0
  !$omp task shared(n)
  n = n + 1
  !$omp end task
  !$omp taskwait
  CHECK_EQ(n, 1)

  call testcase('thread number, team size and level inside of a task')
  bad = 0
  team = 0
  !$omp parallel shared(team, bad)
  !$omp single
  team = omp_get_num_threads()
  do k = 1, 20
    !$omp task shared(team, bad)
    if (omp_get_num_threads() /= team .or. omp_get_thread_num() >= team .or. omp_get_level() /= 1) then
      !$omp atomic
      bad = bad + 1
    end if
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('taskyield')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  do k = 1, 30
    !$omp task shared(n)
    !$omp taskyield
    !$omp atomic
    n = n + 1
    !$omp taskyield
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 30)

  call testcase('taskwait without tasks, and in a task')
  n = 0
  !$omp taskwait
  !$omp parallel shared(n)
  !$omp taskwait
  !$omp single
  !$omp task shared(n)
  !$omp taskwait
  n = 3
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 3)

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('shared variables of the creator that live on its stack')
  x = 0
  !$omp parallel shared(x)
  !$omp single
  call with_local(x)
  !$omp end single
  !$omp end parallel
  CHECK_EQ(x, 30)
#endif

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('a loop whose body creates tasks')
  n = 0
  !$omp parallel shared(n)
  !$omp do schedule(dynamic)
  do k = 1, 60
    !$omp task shared(n) firstprivate(k)
    !$omp atomic
    n = n + k
    !$omp end task
  end do
  !$omp end do
  !$omp end parallel
  CHECK_EQ(n, 1830)
#endif

  call testcase('many small tasks')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  do k = 1, 3000
    !$omp task shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 3000)
  call finish()

contains

  recursive integer function fib(m) result(f)
    integer, value :: m
    integer :: a, b
    if (m < 2) then
      f = m
      return
    end if
    !$omp task shared(a) firstprivate(m)
    a = fib(m - 1)
    !$omp end task
    !$omp task shared(b) firstprivate(m)
    b = fib(m - 2)
    !$omp end task
    !$omp taskwait
    f = a + b
  end function fib

  recursive subroutine tree(depth, counter)
    integer, value :: depth
    integer, intent(inout) :: counter
    !$omp atomic
    counter = counter + 1
    if (depth == 0) return
    !$omp task firstprivate(depth) shared(counter)
    call tree(depth - 1, counter)
    !$omp end task
    !$omp task firstprivate(depth) shared(counter)
    call tree(depth - 1, counter)
    !$omp end task
    !$omp taskwait
  end subroutine tree

  subroutine with_local(total)
    integer, intent(inout) :: total
    integer :: parts(10), i
    parts = 0
    do i = 1, 10
      !$omp task firstprivate(i) shared(parts)
      parts(i) = 3
      !$omp end task
    end do
    !$omp taskwait
    total = sum(parts)
  end subroutine with_local
end program task_basic
