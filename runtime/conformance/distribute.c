/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * distribute and its combinations with teams on the host (OpenMP 5.2, 11.6).
 */
#include "check.h"

#define N 500
static int seen[N], team_of[N], thread_of[N];

static int all_once(int n)
{
    int good = 1;
    for (int i = 0; i < N; i++) {
        good &= seen[i] == (i < n);
        seen[i] = 0;
    }
    return good;
}

CASE("teams distribute: each iteration once")
{
    for (int n = 0; n < 40; n += 3) {
#pragma omp teams distribute num_teams(4)
        for (int i = 0; i < n; i++)
            ADD(seen[i], 1);
        CHECK(all_once(n));
    }
}

CASE("without dist_schedule each team gets at most one chunk")
{
#pragma omp teams num_teams(3)
    {
#pragma omp distribute
        for (int i = 0; i < N; i++)
            team_of[i] = omp_get_team_num();
    }
    int changes = 0;
    for (int i = 1; i < N; i++) {
        changes += team_of[i] != team_of[i - 1];
        CHECK(team_of[i] >= team_of[i - 1]);
    }
    CHECK(changes <= 2);
}

CASE("dist_schedule(static, c) goes round-robin over the teams")
{
    for (int chunk = 1; chunk < 30; chunk += 7) {
#pragma omp teams num_teams(4)
        {
            int teams = omp_get_num_teams();
#pragma omp distribute dist_schedule(static, chunk)
            for (int i = 0; i < N; i++) {
                CHECK(omp_get_team_num() == i / chunk % teams);
                ADD(seen[i], 1);
            }
        }
        CHECK(all_once(N));
    }
}

CASE("distribute parallel for")
{
#pragma omp teams num_teams(2) thread_limit(4)
    {
#pragma omp distribute parallel for num_threads(2)
        for (int i = 0; i < N; i++) {
            ADD(seen[i], 1);
            team_of[i] = omp_get_team_num();
            thread_of[i] = omp_get_thread_num();
        }
    }
    CHECK(all_once(N));
    for (int i = 0; i < N; i++)
        CHECK(team_of[i] >= 0 && team_of[i] < 2 && thread_of[i] >= 0 && thread_of[i] < 2);
}

CASE("teams distribute parallel for, with each schedule")
{
#pragma omp teams distribute parallel for num_teams(2)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
#pragma omp teams distribute parallel for num_teams(2) schedule(static, 3) dist_schedule(static, 50)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
#pragma omp teams distribute parallel for num_teams(3) schedule(dynamic, 4)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
#pragma omp teams distribute parallel for num_teams(3) schedule(guided)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
#pragma omp teams distribute parallel for schedule(runtime)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
}

CASE("the thread's part with schedule(static) without chunk")
{
    int count[4][MAX_THREADS];
    memset(count, 0, sizeof count);
#pragma omp teams num_teams(2) thread_limit(2)
    {
#pragma omp distribute parallel for num_threads(2) schedule(static)
        for (int i = 0; i < N; i++) {
            ADD(count[omp_get_team_num()][omp_get_thread_num()], 1);
            ADD(seen[i], 1);
        }
    }
    CHECK(all_once(N));
    int sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < MAX_THREADS; j++)
            sum += count[i][j];
    CHECK(sum == N);
}

CASE("teams distribute simd, teams distribute parallel for simd")
{
    static double a[N];
#pragma omp teams distribute simd num_teams(2)
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp teams distribute parallel for simd num_teams(2)
    for (int i = 0; i < N; i++)
        a[i] += i;
    for (int i = 0; i < N; i++)
        CHECK(a[i] == 2.0 * i);
}

CASE("reduction on the combined constructs")
{
    long sum = 3;
    int high = -1;
#pragma omp teams distribute reduction(+ : sum) num_teams(3)
    for (int i = 0; i < N; i++)
        sum += i;
    CHECK(sum == 3 + N * (N - 1) / 2);
#pragma omp teams distribute parallel for reduction(max : high) reduction(+ : sum) num_teams(3)
    for (int i = 0; i < N; i++) {
        high = i > high ? i : high;
        sum += 1;
    }
    CHECK(high == N - 1 && sum == 3 + N * (N - 1) / 2 + N);
}

CASE("collapse")
{
    static int grid[13][17];
#pragma omp teams distribute collapse(2) num_teams(3)
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 17; j++)
            ADD(grid[i][j], 1);
#pragma omp teams distribute parallel for collapse(2) num_teams(2) schedule(dynamic, 5)
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 17; j++)
            ADD(grid[i][j], 1);
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 17; j++)
            CHECK(grid[i][j] == 2);
}

CASE("lastprivate and firstprivate")
{
    int x = -1, y = 7;
#pragma omp teams num_teams(3)
    {
#pragma omp distribute lastprivate(x) firstprivate(y)
        for (int i = 0; i < N; i++)
            x = i + y;
    }
    CHECK(x == N - 1 + 7);
    int z = -1;
#pragma omp teams distribute parallel for lastprivate(z) num_teams(2)
    for (int i = 0; i < N; i++)
        z = i;
    CHECK(z == N - 1);
}

CASE("downward, steps, 64 bits, unsigned")
{
    int a = 0, b = 0, c = 0;
#pragma omp teams distribute parallel for num_teams(2) reduction(+ : a)
    for (int i = 100; i > 0; i -= 7)
        a += i;
#pragma omp teams distribute num_teams(3) reduction(+ : b)
    for (long long i = 1LL << 40; i < (1LL << 40) + 100; i += 3)
        b++;
#pragma omp teams distribute parallel for num_teams(2) reduction(+ : c) schedule(dynamic)
    for (unsigned long long i = ULLONG_MAX; i > ULLONG_MAX - 30; i--)
        c++;
    CHECK(a == 765 && b == 34 && c == 30);
}

CASE("no iterations")
{
    int n = 0, count = 0;
#pragma omp teams distribute num_teams(2)
    for (int i = 0; i < n; i++)
        ADD(count, 1);
#pragma omp teams distribute parallel for num_teams(2) schedule(dynamic)
    for (int i = 5; i < n; i++)
        ADD(count, 1);
    CHECK(count == 0);
}

CASE("teams with parallel for inside, without distribute")
{
    static int count[8];
    int teams = 0;
    memset(count, 0, sizeof count);
#pragma omp teams num_teams(2) shared(teams)
    {
        int me = omp_get_team_num();
        ADD(teams, 1);
#pragma omp parallel for schedule(dynamic, 3)
        for (int i = 0; i < 90; i++)
            ADD(count[me], 1);
    }
    for (int i = 0; i < teams; i++)
        CHECK(count[i] == 90);
}
