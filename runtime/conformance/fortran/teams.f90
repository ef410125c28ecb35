! SPDX-License-Identifier: Apache-2.0
! The teams and distribute constructs on the host (OpenMP 5.2, 10.2, 11.6).
#include "check.h"
program teams
  use omp_lib
  use checks
  implicit none
  integer, parameter :: n = 96
  integer :: c(n), who(n), i, j, bad, league, s, mine(0:63), m(6, 7)

  call testcase('outside of teams')
  CHECK_EQ(omp_get_num_teams(), 1)
  CHECK_EQ(omp_get_team_num(), 0)

  call testcase('num_teams: an upper bound; team numbers are dense')
  mine = 0
  league = 0
  !$omp teams num_teams(3) shared(mine, league)
  mine(omp_get_team_num()) = mine(omp_get_team_num()) + 1
  if (omp_get_team_num() == 0) league = omp_get_num_teams()
  !$omp end teams
  CHECK(league >= 1 .and. league <= 3)
  CHECK(all(mine(0:league-1) == 1))
  CHECK_EQ(sum(mine), league)

  call testcase('thread_limit')
  bad = 0
  !$omp teams num_teams(2) thread_limit(2) shared(bad)
  !$omp parallel num_threads(4) shared(bad)
  if (omp_get_num_threads() > 2 .or. omp_get_thread_limit() > 2) then
    !$omp atomic
    bad = bad + 1
  end if
  !$omp end parallel
  !$omp end teams
  CHECK_EQ(bad, 0)

  call testcase('firstprivate, private, shared')
  s = 44
  j = 5
  mine = 0
  !$omp teams num_teams(3) firstprivate(s) private(j) shared(mine)
  j = omp_get_team_num()
  mine(j) = s
  s = j
  !$omp end teams
  CHECK_EQ(mine(0), 44)
  CHECK(all(mine == 44 .or. mine == 0))
  CHECK(s == 44 .and. j == 5)

#ifndef NO_TEAMS_REDUCTION
  call testcase('reduction on teams')
  s = 100
  league = 0
  !$omp teams num_teams(4) reduction(+: s) shared(league)
  s = s + 1
  if (omp_get_team_num() == 0) league = omp_get_num_teams()
  !$omp end teams
  CHECK_EQ(s, 100 + league)
#endif

#ifndef NO_DISTRIBUTE
  call testcase('distribute: each iteration once, by one thread of a team')
  c = 0
  who = -1
  !$omp teams num_teams(4) shared(c, who)
  !$omp distribute
  do i = 1, n
    c(i) = c(i) + 1
    who(i) = omp_get_team_num()
  end do
  !$omp end distribute
  !$omp end teams
  CHECK(all(c == 1))
  CHECK(all(who(2:n) >= who(1:n-1)))

#ifndef NO_DIST_SCHEDULE
  call testcase('dist_schedule(static, chunk): round robin over the teams')
  who = -1
  league = 1
  !$omp teams num_teams(3) shared(who, league)
  if (omp_get_team_num() == 0) league = omp_get_num_teams()
  !$omp distribute dist_schedule(static, 5)
  do i = 1, n
    who(i) = omp_get_team_num()
  end do
  !$omp end teams
  bad = 0
  do i = 1, n
    if (who(i) /= mod((i - 1) / 5, league)) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)
#endif

#ifndef NO_DISTRIBUTE_CLAUSES
  call testcase('distribute with lastprivate and firstprivate')
  s = 3
  j = 0
  !$omp teams num_teams(2) shared(j)
  !$omp distribute lastprivate(j) firstprivate(s)
  do i = 1, n
    j = i + s
  end do
  !$omp end teams
  CHECK_EQ(j, n + 3)
#endif

  call testcase('distribute with collapse')
  m = 0
  !$omp teams num_teams(2) shared(m)
  !$omp distribute collapse(2)
  do i = 1, 6
    do j = 1, 7
      m(i, j) = m(i, j) + i
    end do
  end do
  !$omp end teams
  CHECK_EQ(sum(m), 147)
#endif

#ifndef NO_DISTRIBUTE_PARALLEL
  call testcase('distribute parallel do')
  c = 0
  !$omp teams num_teams(2) thread_limit(4) shared(c)
  !$omp distribute parallel do
  do i = 1, n
    c(i) = c(i) + 1
  end do
  !$omp end distribute parallel do
  !$omp end teams
  CHECK(all(c == 1))

  call testcase('distribute parallel do, downwards, with num_threads')
  c = 0
  !$omp teams num_teams(2) shared(c)
  !$omp distribute parallel do num_threads(3)
  do i = n, 1, -1
    c(i) = c(i) + 1
  end do
  !$omp end teams
  CHECK(all(c == 1))

#ifndef NO_DISTRIBUTE_SCHEDULE
  call testcase('distribute parallel do with schedules')
  c = 0
  !$omp teams num_teams(2) shared(c)
  !$omp distribute parallel do schedule(static, 3)
  do i = 1, n
    c(i) = c(i) + 1
  end do
  !$omp distribute parallel do schedule(dynamic, 2) num_threads(3)
  do i = 1, n
    c(i) = c(i) + 1
  end do
  !$omp distribute parallel do dist_schedule(static, 8) schedule(guided)
  do i = n, 1, -1
    c(i) = c(i) + 1
  end do
  !$omp end teams
  CHECK(all(c == 3))
#endif
#endif

#ifndef NO_TEAMS_DISTRIBUTE
  call testcase('teams distribute')
  s = 0
  !$omp teams distribute reduction(+: s)
  do i = 1, n
    s = s + i
  end do
  CHECK_EQ(s, n * (n + 1) / 2)

  call testcase('teams distribute parallel do with a reduction')
  s = 1
  !$omp teams distribute parallel do reduction(+: s) collapse(2)
  do i = 1, 8
    do j = 1, 12
      s = s + i * j
    end do
  end do
  CHECK_EQ(s, 1 + 36 * 78)

  call testcase('teams distribute parallel do simd, distribute simd')
  c = 0
  !$omp teams distribute parallel do simd
  do i = 1, n
    c(i) = c(i) + i
  end do
  !$omp teams distribute simd
  do i = 1, n
    c(i) = c(i) + i
  end do
  CHECK_EQ(sum(c), n * (n + 1))
#endif

#ifndef NO_TEAMS_ICV
  call testcase('the routines of the teams ICVs')
  call omp_set_num_teams(2)
  CHECK_EQ(omp_get_max_teams(), 2)
  league = 0
  !$omp teams shared(league)
  if (omp_get_team_num() == 0) league = omp_get_num_teams()
  !$omp end teams
  CHECK(league >= 1 .and. league <= 2)
  call omp_set_teams_thread_limit(3)
  CHECK_EQ(omp_get_teams_thread_limit(), 3)
  bad = 0
  !$omp teams num_teams(2) shared(bad)
  !$omp parallel num_threads(8) shared(bad)
  if (omp_get_thread_limit() > 3 .or. omp_get_num_threads() > 3) then
    !$omp atomic
    bad = bad + 1
  end if
  !$omp end parallel
  !$omp end teams
  CHECK_EQ(bad, 0)
#endif
  call finish()
end program teams
