/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The teams construct on the host (OpenMP 5.2, 10.2).
 */
#include "check.h"

/* In a teams region itself only parallel, distribute, loop and two routines are allowed. */
static void raise_to(int *most, int n)
{
    int old = LOAD(*most);
    while (old < n && !__atomic_compare_exchange_n(most, &old, n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
}

CASE("each team's initial thread executes the region once")
{
    static int seen[MAX_THREADS];
    int teams = 0;
    memset(seen, 0, sizeof seen);
#pragma omp teams num_teams(4) shared(seen, teams)
    {
        int me = omp_get_team_num(), n = omp_get_num_teams();
        CHECK(n >= 1 && n <= 4 && me >= 0 && me < n);
        ADD(seen[me], 1);
        if (me == 0)
            STORE(teams, n);
    }
    for (int i = 0; i < MAX_THREADS; i++)
        CHECK(seen[i] == (i < teams));
}

CASE("without num_teams there is at least one team")
{
    int count = 0, teams = 0;
#pragma omp teams shared(count, teams)
    {
        ADD(count, 1);
        STORE(teams, omp_get_num_teams());
    }
    CHECK(count >= 1 && count == teams);
}

CASE("outside there is one team, number 0")
{
    CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0);
#pragma omp parallel
    CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0);
}

CASE("num_teams(1)")
{
    int count = 0;
#pragma omp teams num_teams(1) shared(count)
    {
        ADD(count, 1);
        CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0);
    }
    CHECK(count == 1);
}

CASE("thread_limit bounds the teams' regions")
{
    int most = 0;
#pragma omp teams num_teams(2) thread_limit(3) shared(most)
    {
#pragma omp parallel num_threads(8)
        {
            CHECK(omp_get_thread_limit() <= 3 && omp_get_thread_limit() >= 1);
            raise_to(&most, omp_get_num_threads());
        }
    }
    CHECK(most >= 1 && most <= 3);
}

CASE("a parallel region in each team: numbers, levels, barriers")
{
    static int count[8];
    memset(count, 0, sizeof count);
#pragma omp teams num_teams(3) thread_limit(4) shared(count)
    {
        int team = omp_get_team_num(), teams = omp_get_num_teams();
#pragma omp parallel num_threads(2)
        {
            CHECK(omp_get_team_num() == team && omp_get_num_teams() == teams);
            CHECK(omp_get_num_threads() >= 1 && omp_get_num_threads() <= 2);
            ADD(count[team], 1);
#pragma omp barrier
            CHECK(LOAD(count[team]) == omp_get_num_threads());
        }
    }
}

CASE("private, firstprivate and shared")
{
    int x = 5, y = 6, sum = 0, teams = 0;
#pragma omp teams num_teams(3) private(x) firstprivate(y) shared(sum, teams)
    {
        x = omp_get_team_num();
        ADD(sum, y + x - omp_get_team_num());
        ADD(teams, 1);
        y = 0;
    }
    CHECK(x == 5 && y == 6 && sum == 6 * teams);
}

CASE("reduction over the league")
{
    int sum = 100, teams = 0;
    double high = -1;
#pragma omp teams num_teams(4) reduction(+ : sum) reduction(max : high) shared(teams)
    {
        sum += 1;
        high = omp_get_team_num() + 0.5;
        ADD(teams, 1);
    }
    CHECK(sum == 100 + teams && high == teams - 0.5);
}

CASE("atomics among the teams, criticals in each")
{
    int count = 0, teams = 0;
    static int other;
#pragma omp teams num_teams(4) shared(count, teams)
    {
        ADD(teams, 1);
#pragma omp parallel num_threads(2)
        {
#pragma omp single
            for (int i = 0; i < 100; i++) {
#pragma omp atomic
                count++;
#pragma omp critical
                other++;
            }
        }
    }
    CHECK(count == 100 * teams && other > 0 && other <= count);
}

CASE("tasks of a team's initial thread")
{
    int count = 0, teams = 0;
#pragma omp teams num_teams(2) shared(count, teams)
    {
#pragma omp parallel num_threads(2) shared(count)
        {
#pragma omp single
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(count)
                ADD(count, 1);
            }
        }
        ADD(teams, 1);
    }
    CHECK(count == 20 * teams);
}

CASE("many leagues in a row")
{
    for (int i = 0; i < 50; i++) {
        int count = 0, teams = 0;
#pragma omp teams num_teams(1 + i % 4) shared(count, teams)
        {
            ADD(count, 1);
            STORE(teams, omp_get_num_teams());
        }
        CHECK(count == teams && teams >= 1 && teams <= 1 + i % 4);
    }
}

CASE("regions after a league are as before")
{
#pragma omp teams num_teams(2) thread_limit(1)
    {
#pragma omp parallel
        CHECK(omp_get_num_threads() == 1);
    }
    int count = 0;
#pragma omp parallel num_threads(5) shared(count)
    {
        CHECK(omp_get_num_threads() == 5);
        ADD(count, 1);
    }
    CHECK(count == 5);
}
