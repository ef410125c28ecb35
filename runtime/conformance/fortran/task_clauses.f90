! SPDX-License-Identifier: Apache-2.0
! Clauses of task: if, final, mergeable, untied, priority, detach (OpenMP 5.2, 12.5).
#include "check.h"
program task_clauses
  use omp_lib
  use checks
  implicit none
  integer :: n, k, bad, creator, order
  logical :: defer

  call testcase('if(false): done when the construct ends, by the same thread')
  bad = 0
  !$omp parallel private(n, creator, k) reduction(+: bad)
  do k = 1, 20
    n = 0
    creator = omp_get_thread_num()
    !$omp task if(.false.) shared(n) firstprivate(creator)
    n = 1
    if (omp_get_thread_num() /= creator) n = -1
    !$omp end task
    if (n /= 1) bad = bad + 1
  end do
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('if with an expression')
  n = 0
  !$omp parallel shared(n) private(defer)
  !$omp single
  do k = 1, 40
    defer = mod(k, 2) == 0
    !$omp task if(task: defer) shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 40)

#ifndef NO_FINAL
  call testcase('final: omp_in_final, and tasks inside of it are included')
  bad = 0
  CHECK(.not. omp_in_final())
  !$omp parallel shared(bad)
  !$omp single
  do k = 1, 10
    !$omp task final(.true.) shared(bad) private(n, creator)
    if (.not. omp_in_final()) call count_up(bad)
    creator = omp_get_thread_num()
    n = 0
    !$omp task shared(n, bad) firstprivate(creator)
    if (.not. omp_in_final()) call count_up(bad)
    if (creator /= omp_get_thread_num()) call count_up(bad)
    n = 1
    !$omp end task
    if (n /= 1) call count_up(bad)
    !$omp end task
    !$omp task final(.false.) shared(bad)
    if (omp_in_final()) call count_up(bad)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('final at a depth of a recursion')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  call descend(8, n)
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 511)
#endif

#ifndef NO_UNTIED
  call testcase('untied, with taskyield and taskwait')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  do k = 1, 40
    !$omp task untied shared(n)
    !$omp taskyield
    !$omp task shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
    !$omp taskwait
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 80)
#endif

#ifndef NO_UNTIED_IF0
  call testcase('untied and if(false) in a recursion')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  n = fib(11)
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 89)
#endif

#ifndef NO_MERGEABLE
  call testcase('mergeable')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  do k = 1, 20
    !$omp task mergeable shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
    !$omp task mergeable if(.false.) shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 40)
#endif

#ifndef NO_PRIORITY
  call testcase('priority: a hint, all tasks run')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  do k = 1, 30
    !$omp task priority(k) shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 30)
  CHECK_EQ(omp_get_max_task_priority(), 5)
#endif

#ifndef NO_DETACH
  call testcase('detach: the task ends when its event is fulfilled')
  call detached()
#endif

#ifndef NO_AFFINITY
  call testcase('affinity: a hint')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  do k = 1, 10
    !$omp task affinity(k) shared(n)
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 10)
#endif
  call finish()

contains

  subroutine count_up(counter)
    integer, intent(inout) :: counter
    !$omp atomic
    counter = counter + 1
  end subroutine count_up

#ifndef NO_FINAL
  recursive subroutine descend(depth, counter)
    integer, value :: depth
    integer, intent(inout) :: counter
    call count_up(counter)
    if (depth == 0) return
    !$omp task final(depth < 5) firstprivate(depth) shared(counter)
    call descend(depth - 1, counter)
    !$omp end task
    !$omp task final(depth < 5) firstprivate(depth) shared(counter)
    call descend(depth - 1, counter)
    !$omp end task
    !$omp taskwait
  end subroutine descend
#endif

#ifndef NO_UNTIED_IF0
  recursive integer function fib(m) result(f)
    integer, value :: m
    integer :: a, b
    if (m < 2) then
      f = m
      return
    end if
    !$omp task untied shared(a) firstprivate(m) if(mod(m, 2) == 0)
    a = fib(m - 1)
    !$omp end task
    !$omp task untied shared(b) firstprivate(m) if(mod(m, 3) == 0)
    b = fib(m - 2)
    !$omp end task
    !$omp taskwait
    f = a + b
  end function fib
#endif

#ifndef NO_DETACH
  subroutine detached()
    integer(omp_event_handle_kind) :: event
    integer :: x, wrong
    x = 0
    wrong = 0
    !$omp parallel shared(x, wrong, event)
    !$omp single
    !$omp task detach(event) depend(out: x) shared(x)
    x = 1
    !$omp end task
    !$omp task depend(in: x) shared(x, wrong)
    if (x /= 2) wrong = wrong + 1
    !$omp end task
    !$omp task shared(x) firstprivate(event)
    do
      !$omp atomic read
      wrong = x
      if (wrong == 1) exit
      !$omp taskyield
    end do
    wrong = 0
    x = 2
    call omp_fulfill_event(event)
    !$omp end task
    !$omp end single
    !$omp end parallel
    CHECK_EQ(wrong, 0)
    CHECK_EQ(x, 2)
  end subroutine detached
#endif
end program task_clauses
