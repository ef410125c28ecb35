/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The loop construct and its combinations (OpenMP 5.2, 11.7).
 */
#include "check.h"

#define N 300
static int seen[N];

static int all_once(void)
{
    int good = 1;
    for (int i = 0; i < N; i++) {
        good &= seen[i] == 1;
        seen[i] = 0;
    }
    return good;
}

CASE("loop in a parallel region")
{
#pragma omp parallel
    {
#pragma omp loop
        for (int i = 0; i < N; i++)
            ADD(seen[i], 1);
    }
    CHECK(all_once());
}

CASE("parallel loop, with bind and order")
{
#pragma omp parallel loop
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once());
#pragma omp parallel
    {
#pragma omp loop bind(parallel) order(concurrent)
        for (int i = 0; i < N; i++)
            ADD(seen[i], 1);
    }
    CHECK(all_once());
}

CASE("bind(thread)")
{
#pragma omp loop bind(thread)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once());
}

CASE("reduction, lastprivate and private")
{
    int sum = 0, x = 3;
    int i;
#pragma omp parallel loop reduction(+ : sum) private(x) lastprivate(i)
    for (i = 0; i < N; i++) {
        x = i;
        sum += x;
    }
    CHECK(sum == N * (N - 1) / 2 && x == 3 && i == N);
}

CASE("teams loop")
{
#pragma omp teams loop num_teams(2)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once());
    int sum = 0;
#pragma omp teams loop reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += i;
    CHECK(sum == N * (N - 1) / 2);
}

CASE("target teams loop and target parallel loop")
{
#pragma omp target teams loop map(tofrom : seen)
    for (int i = 0; i < N; i++)
        seen[i] += 1;
    CHECK(all_once());
#pragma omp target parallel loop map(tofrom : seen)
    for (int i = 0; i < N; i++)
        seen[i] += 1;
    CHECK(all_once());
}

CASE("collapse")
{
    static int grid[14][9];
#pragma omp parallel loop collapse(2)
    for (int i = 0; i < 14; i++)
        for (int j = 0; j < 9; j++)
            ADD(grid[i][j], 1);
    for (int i = 0; i < 14; i++)
        for (int j = 0; j < 9; j++)
            CHECK(grid[i][j] == 1);
}

CASE("order(concurrent) on for")
{
#pragma omp parallel for order(concurrent)
    for (int i = 0; i < N; i++)
        seen[i] += 1;
    CHECK(all_once());
}
