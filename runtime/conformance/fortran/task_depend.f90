! SPDX-License-Identifier: Apache-2.0
! Task dependences (OpenMP 5.2, 15.9).
#include "check.h"
program task_depend
  use omp_lib
  use checks
  implicit none
  integer :: x, y, z, k, bad, a(40), g(0:6, 0:6), want(0:6, 0:6), i, j, inside, most
  integer, allocatable :: al(:)
  integer :: order(40), step

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('a chain of inout')
  x = 0
  bad = 0
  !$omp parallel shared(x, bad)
  !$omp single
  do k = 1, 60
    !$omp task depend(inout: x) firstprivate(k) shared(x, bad)
    if (x /= k - 1) bad = bad + 1
    x = k
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(x, 60)
#endif

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('out, then readers, then out')
  x = 0
  y = 0
  bad = 0
  !$omp parallel shared(x, y, bad)
  !$omp single
  do k = 1, 10
    !$omp task depend(out: x) firstprivate(k) shared(x, y, bad)
    if (y /= 4 * (k - 1)) then
      !$omp atomic
      bad = bad + 1
    end if
    x = k
    !$omp end task
    do j = 1, 4
      !$omp task depend(in: x) firstprivate(k) shared(x, y, bad)
      if (x /= k) then
        !$omp atomic
        bad = bad + 1
      end if
      !$omp atomic
      y = y + 1
      !$omp end task
    end do
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(y, 40)
#endif

  call testcase('a chain of inout without data of its own')
  x = 1
  y = 0
  !$omp parallel shared(x, y)
  !$omp single
  do k = 1, 40
    !$omp task depend(inout: x) shared(x, y)
    x = mod(3 * x + 1, 10007)
    y = y + 1
    !$omp end task
    !$omp task depend(inout: x) shared(x)
    x = mod(5 * x + 2, 10007)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  z = 1
  do k = 1, 40
    z = mod(5 * mod(3 * z + 1, 10007) + 2, 10007)
  end do
  CHECK_EQ(x, z)
  CHECK_EQ(y, 40)

  call testcase('a diamond over several variables')
  x = 0
  y = 0
  z = 0
  !$omp parallel shared(x, y, z)
  !$omp single
  !$omp task depend(out: x) shared(x)
  x = 2
  !$omp end task
  !$omp task depend(in: x) depend(out: y) shared(x, y)
  y = x * 3
  !$omp end task
  !$omp task depend(in: x) depend(out: z) shared(x, z)
  z = x * 5
  !$omp end task
  !$omp task depend(in: y, z) depend(inout: x) shared(x, y, z)
  x = x + y + z
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK_EQ(x, 18)

#ifndef NO_DEPEND_ELEMENT
  call testcase('elements of an array are separate')
  a = 0
  !$omp parallel shared(a)
  !$omp single
  a(1) = 1
  do k = 2, 40
    !$omp task depend(in: a(k - 1)) depend(out: a(k)) firstprivate(k) shared(a)
    a(k) = a(k - 1) + k
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(a(40), 820)

  call testcase('a wave front over two dimensions')
  want = 1
  do i = 1, 6
    do j = 1, 6
      want(i, j) = want(i - 1, j) + want(i, j - 1)
    end do
  end do
  g = 1
  !$omp parallel shared(g)
  !$omp single
  do i = 1, 6
    do j = 1, 6
      !$omp task depend(in: g(i - 1, j), g(i, j - 1)) depend(out: g(i, j)) firstprivate(i, j) shared(g)
      g(i, j) = g(i - 1, j) + g(i, j - 1)
      !$omp end task
    end do
  end do
  !$omp end single
  !$omp end parallel
  CHECK(all(g == want))
#endif

#ifndef NO_DEPEND_SECTION
  call testcase('array sections')
  a = 0
  bad = 0
  !$omp parallel shared(a, bad)
  !$omp single
  !$omp task depend(out: a(1:20)) shared(a)
  a(1:20) = 1
  !$omp end task
  !$omp task depend(out: a(21:40)) shared(a)
  a(21:40) = 2
  !$omp end task
  !$omp task depend(in: a(1:20)) depend(in: a(21:40)) shared(a, bad)
  if (sum(a) /= 60) bad = bad + 1
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('an allocatable')
  allocate(al(3))
  al = 0
  bad = 0
  !$omp parallel shared(al, bad)
  !$omp single
  do k = 1, 20
    !$omp task depend(inout: al) firstprivate(k) shared(al, bad)
    if (al(1) /= k - 1) bad = bad + 1
    al = k
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(all(al == 20))
#endif

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('a task that is not deferred waits for its dependences')
  x = 0
  bad = 0
  !$omp parallel shared(x, bad)
  !$omp single
  do k = 1, 10
    !$omp task depend(inout: x) shared(x)
    x = x + 1
    !$omp end task
    !$omp task depend(inout: x) if(.false.) firstprivate(k) shared(x, bad)
    if (x /= 2 * k - 1) bad = bad + 1
    x = x + 1
    !$omp end task
    if (x /= 2 * k) bad = bad + 1
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

#ifndef NO_TASKWAIT_DEPEND
  call testcase('taskwait with depend waits for those tasks')
  x = 0
  y = 0
  bad = 0
  !$omp parallel shared(x, y, bad)
  !$omp single
  do k = 1, 10
    !$omp task depend(out: x) firstprivate(k) shared(x)
    x = k
    !$omp end task
    !$omp task depend(out: y) shared(y)
    !$omp atomic
    y = y + 1
    !$omp end task
    !$omp taskwait depend(in: x)
    if (x /= k) bad = bad + 1
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(y, 10)
#endif

#ifndef NO_MUTEXINOUTSET
  call testcase('mutexinoutset: one at a time, in any order')
  x = 0
  inside = 0
  most = 0
  bad = 0
  !$omp parallel shared(x, inside, most, bad)
  !$omp single
  !$omp task depend(out: x) shared(x)
  x = 100
  !$omp end task
  do k = 1, 30
    !$omp task depend(mutexinoutset: x) shared(x, inside, most) private(j)
    !$omp atomic capture
    inside = inside + 1
    j = inside
    !$omp end atomic
    most = max(most, j)
    x = x + 1
    !$omp atomic
    inside = inside - 1
    !$omp end task
  end do
  !$omp task depend(in: x) shared(x, bad)
  if (x /= 130) bad = bad + 1
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(most, 1)
#endif

#ifndef NO_INOUTSET
  call testcase('inoutset: among each other free, ordered against others')
  x = 0
  y = 0
  bad = 0
  !$omp parallel shared(x, y, bad)
  !$omp single
  !$omp task depend(out: x) shared(x)
  x = 5
  !$omp end task
  do k = 1, 10
    !$omp task depend(inoutset: x) shared(x, y, bad)
    if (x /= 5) then
      !$omp atomic
      bad = bad + 1
    end if
    !$omp atomic
    y = y + 1
    !$omp end task
  end do
  !$omp task depend(in: x) shared(y, bad)
  if (y /= 10) then
    !$omp atomic
    bad = bad + 1
  end if
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

#ifndef NO_DEPOBJ
  call testcase('depend objects')
  x = 0
  call with_depobj(x)
  CHECK_EQ(x, 21)
#endif

  call testcase('siblings only: tasks of other parents are not ordered, and nothing hangs')
  x = 0
  !$omp parallel shared(x)
  !$omp single
  do k = 1, 8
    !$omp task shared(x) firstprivate(k)
    !$omp task depend(inout: x) shared(x)
    !$omp atomic
    x = x + 1
    !$omp end task
    !$omp taskwait
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(x, 8)

#ifndef NO_TASK_FIRSTPRIVATE
  call testcase('many dependences on one task')
  order = 0
  step = 0
  bad = 0
  !$omp parallel shared(a, bad)
  !$omp single
  a = 0
  do k = 1, 12
    !$omp task depend(inout: x, y, z, inside, most, step, i, j) firstprivate(k) shared(a, bad)
    if (a(1) /= k - 1) bad = bad + 1
    a(1) = k
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(a(1), 12)
#endif
  call finish()

#ifndef NO_DEPOBJ
contains

  subroutine with_depobj(value)
    integer, intent(inout) :: value
    integer(omp_depend_kind) :: writer, reader
    integer :: m
    !$omp depobj(writer) depend(inout: value)
    !$omp depobj(reader) depend(in: value)
    !$omp parallel shared(value, writer, reader)
    !$omp single
    do m = 1, 20
      !$omp task depend(depobj: writer) shared(value) firstprivate(m)
      if (value == m - 1) value = m
      !$omp end task
    end do
    !$omp task depend(depobj: reader) shared(value)
    if (value /= 20) value = -100
    !$omp end task
    !$omp taskwait
    !$omp end single
    !$omp end parallel
    !$omp depobj(reader) update(inout)
    !$omp parallel shared(value, reader)
    !$omp single
    !$omp task depend(depobj: reader) shared(value)
    value = value + 1
    !$omp end task
    !$omp end single
    !$omp end parallel
    !$omp depobj(reader) destroy
    !$omp depobj(writer) destroy
  end subroutine with_depobj
#endif
end program task_depend
