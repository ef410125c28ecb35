! SPDX-License-Identifier: Apache-2.0
! The team of a parallel region: its size, numbers and levels (OpenMP 5.2, 10.1 and 10.1.1).
#include "check.h"
program parallel_team
  use omp_lib
  use checks
  implicit none
  integer :: seen(0:255), sizes(0:255), n, i, bad, asked
  logical :: flag

  call testcase('one thread per number, numbers dense')
  seen = 0
  sizes = 0
  !$omp parallel shared(seen, sizes)
  seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
  sizes(omp_get_thread_num()) = omp_get_num_threads()
  !$omp end parallel
  n = sizes(0)
  CHECK(n >= 1)
  CHECK_EQ(n, omp_get_max_threads())
  CHECK(all(seen(0:n-1) == 1))
  CHECK(all(seen(n:) == 0))
  CHECK(all(sizes(0:n-1) == n))

  call testcase('num_threads clause wins over the ICV')
  seen = 0
  !$omp parallel num_threads(3)
  seen(omp_get_thread_num()) = omp_get_num_threads()
  !$omp end parallel
  CHECK(all(seen(0:2) == 3))
  CHECK(all(seen(3:) == 0))

  call testcase('num_threads with an expression')
  do i = 1, 5
    seen = 0
    !$omp parallel num_threads(i + 1)
    seen(omp_get_thread_num()) = omp_get_num_threads()
    !$omp end parallel
    CHECK(all(seen(0:i) == i + 1))
    CHECK(all(seen(i+1:) == 0))
  end do

  call testcase('if false gives a team of one, inactive')
  flag = .false.
  n = 0
  bad = 0
  !$omp parallel if(flag) num_threads(4) shared(n, bad)
  n = n + 1
  if (omp_get_num_threads() /= 1) bad = bad + 1
  if (omp_get_thread_num() /= 0) bad = bad + 1
  if (omp_in_parallel()) bad = bad + 1
  if (omp_get_level() /= 1) bad = bad + 1
  if (omp_get_active_level() /= 0) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(n, 1)
  CHECK_EQ(bad, 0)

  call testcase('if true, with the parallel modifier')
  flag = .true.
  n = 0
  !$omp parallel if(parallel: flag) num_threads(2) reduction(+: n)
  n = n + omp_get_num_threads()
  !$omp end parallel
  CHECK_EQ(n, 4)

  call testcase('levels and in_parallel')
  CHECK_EQ(omp_get_level(), 0)
  CHECK(.not. omp_in_parallel())
  CHECK_EQ(omp_get_num_threads(), 1)
  CHECK_EQ(omp_get_thread_num(), 0)
  bad = 0
  !$omp parallel num_threads(2) reduction(+: bad)
  if (omp_get_level() /= 1) bad = bad + 1
  if (omp_get_active_level() /= 1) bad = bad + 1
  if (.not. omp_in_parallel()) bad = bad + 1
  if (omp_get_ancestor_thread_num(0) /= 0) bad = bad + 1
  if (omp_get_ancestor_thread_num(1) /= omp_get_thread_num()) bad = bad + 1
  if (omp_get_ancestor_thread_num(2) /= -1) bad = bad + 1
  if (omp_get_team_size(0) /= 1) bad = bad + 1
  if (omp_get_team_size(1) /= 2) bad = bad + 1
  if (omp_get_team_size(2) /= -1) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('the encountering thread is number 0 and stays itself')
  asked = -1
  n = 0
  do i = 1, 20
    !$omp parallel num_threads(4) firstprivate(i) shared(asked, n)
    if (omp_get_thread_num() == 0) then
      asked = i
      n = n + 1
    end if
    !$omp end parallel
    CHECK_EQ(asked, i)
  end do
  CHECK_EQ(n, 20)

  call testcase('regions of changing size one after another')
  do i = 1, 40
    asked = 1 + mod(i * 7, 9)
    n = 0
    !$omp parallel num_threads(asked)
    !$omp atomic
    n = n + 1
    !$omp end parallel
    CHECK_EQ(n, asked)
  end do

  call testcase('an empty region ends')
  do i = 1, 50
    !$omp parallel
    !$omp end parallel
  end do
  CHECK_EQ(omp_get_level(), 0)

  call finish()
end program parallel_team
