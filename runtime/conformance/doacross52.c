/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The doacross clause and omp_cur_iteration (OpenMP 5.2, 15.9.6).
 */
#include "check.h"

#define N 100
static int done[N];

CASE("doacross(sink) and doacross(source)")
{
    memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(static, 2)
    for (int i = 0; i < N; i++) {
#pragma omp ordered doacross(sink : i - 1)
        CHECK(i == 0 || LOAD(done[i - 1]) == 1);
        check_disturb(i);
        STORE(done[i], 1);
#pragma omp ordered doacross(source:)
    }
}

CASE("omp_cur_iteration as source and as sink of the iteration before")
{
    memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
        CHECK(i == 0 || LOAD(done[i - 1]) == 1);
        STORE(done[i], 1);
#pragma omp ordered doacross(source : omp_cur_iteration)
    }
}

CASE("two dimensions")
{
    static int grid[16][16];
#pragma omp parallel for ordered(2) schedule(dynamic, 1)
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
#pragma omp ordered doacross(sink : i - 1, j) doacross(sink : i, j - 1)
            CHECK(i == 0 || LOAD(grid[i - 1][j]));
            CHECK(j == 0 || LOAD(grid[i][j - 1]));
            STORE(grid[i][j], 1);
#pragma omp ordered doacross(source : omp_cur_iteration)
        }
}

#ifndef __clang__ /* takes it for (i, j - 1) */
CASE("omp_cur_iteration - 1 is the iteration before in the whole nest")
{
    static int grid[10][10];
#pragma omp parallel for ordered(2) schedule(dynamic, 1)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
            CHECK(j == 0 || LOAD(grid[i][j - 1]));
            CHECK(j > 0 || i == 0 || LOAD(grid[i - 1][9]));
            STORE(grid[i][j], 1);
#pragma omp ordered doacross(source:)
        }
}
#endif
