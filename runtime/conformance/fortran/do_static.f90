! SPDX-License-Identifier: Apache-2.0
! The do construct with schedule(static): which thread gets which iteration is specified (OpenMP 5.2, 11.5.3).
#include "check.h"
program do_static
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 103
  integer :: who(n), twice(n), count(n), i, j, t, chunk, bad, teams

  teams = 1
  !$omp parallel
  if (omp_get_thread_num() == 0) teams = omp_get_num_threads()
  !$omp end parallel

  call testcase('no schedule clause: each iteration once')
  count = 0
  !$omp parallel do
  do i = 1, n
    count(i) = count(i) + 1
  end do
  !$omp end parallel do
  CHECK(all(count == 1))

  call testcase('static without a chunk: one contiguous piece for a thread, in order, sizes differ by little')
  who = -1
  !$omp parallel do schedule(static)
  do i = 1, n
    who(i) = omp_get_thread_num()
  end do
  CHECK(all(who(2:n) >= who(1:n-1)))
  CHECK_EQ(who(1), 0)
  do t = 0, teams - 1
    CHECK(count_of(who, t) <= (n + teams - 1) / teams)
  end do

  call testcase('static with a chunk: round robin')
  do chunk = 1, 9
    who = -1
    !$omp parallel do schedule(static, chunk)
    do i = 1, n
      who(i) = omp_get_thread_num()
    end do
    bad = 0
    do i = 1, n
      if (who(i) /= mod((i - 1) / chunk, teams)) bad = bad + 1
    end do
    CHECK_EQ(bad, 0)
  end do

  call testcase('two loops of the same form have the same distribution: nowait between them is safe')
  do j = 1, 10
    who = -1
    twice = -1
    !$omp parallel shared(who, twice)
    !$omp do schedule(static)
    do i = 1, n
      who(i) = i
    end do
    !$omp end do nowait
    !$omp do schedule(static)
    do i = 1, n
      twice(i) = 2 * who(i)
    end do
    !$omp end do nowait
    !$omp end parallel
    bad = 0
    do i = 1, n
      if (twice(i) /= 2 * i) bad = bad + 1
    end do
    CHECK_EQ(bad, 0)
  end do

  call testcase('fewer iterations than threads')
  count = 0
  !$omp parallel do num_threads(8) schedule(static)
  do i = 1, 3
    count(i) = count(i) + 1
  end do
  CHECK_EQ(sum(count), 3)
  count = 0
  !$omp parallel do num_threads(8) schedule(static, 5)
  do i = 1, 3
    count(i) = count(i) + 1 + omp_get_thread_num()
  end do
  CHECK_EQ(sum(count), 3)

  call testcase('orphaned, and outside of any region')
  count = 0
  call orphan(count)
  CHECK(all(count == 1))
  count = 0
  !$omp parallel
  call orphan(count)
  !$omp end parallel
  CHECK(all(count == 1))

  call testcase('a barrier at the end')
  count = 0
  bad = 0
  !$omp parallel reduction(+: bad) shared(count)
  !$omp do schedule(static, 1)
  do i = 1, n
    count(i) = i
  end do
  !$omp end do
  if (sum(count) /= n * (n + 1) / 2) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('the modifiers monotonic and simd')
  count = 0
  !$omp parallel do schedule(monotonic: static, 4)
  do i = 1, n
    count(i) = count(i) + 1
  end do
  !$omp parallel do simd schedule(simd: static, 5)
  do i = 1, n
    count(i) = count(i) + 1
  end do
  CHECK(all(count == 2))

  call finish()

contains

  integer function count_of(array, value)
    integer, intent(in) :: array(:), value
    integer :: k
    count_of = 0
    do k = 1, size(array)
      if (array(k) == value) count_of = count_of + 1
    end do
  end function count_of

  subroutine orphan(array)
    integer, intent(inout) :: array(:)
    integer :: k
    !$omp do schedule(static, 3)
    do k = 1, size(array)
      array(k) = array(k) + 1
    end do
    !$omp end do
  end subroutine orphan
end program do_static
