/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Loop transformations under work-sharing (OpenMP 5.1, 2.11.9; 5.2, 9).
 */
#include "check.h"

#define N 101
static int seen[N][N];

CASE("tile")
{
#pragma omp tile sizes(4, 7)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            ADD(seen[i][j], 1);
#pragma omp parallel for
#pragma omp tile sizes(5)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            ADD(seen[i][j], 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            CHECK(seen[i][j] == 2);
}

CASE("unroll")
{
    int sum = 0;
#pragma omp unroll partial(3)
    for (int i = 0; i < N; i++)
        sum += i;
    CHECK(sum == N * (N - 1) / 2);
    sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 2)
#pragma omp unroll partial(4)
    for (int i = 0; i < N; i++)
        sum += i;
    CHECK(sum == N * (N - 1) / 2);
    sum = 0;
#pragma omp unroll full
    for (int i = 0; i < 7; i++)
        sum += i;
    CHECK(sum == 21);
}
