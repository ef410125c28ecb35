/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Doacross loop nests: ordered(n) with depend(source) and depend(sink) (OpenMP 5.1, 2.17.9 and 2.19.11).
 */
#include "check.h"

#define N 40
static int done[N];

CASE("one dimension, the iteration before: static")
{
    memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(static)
    for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        CHECK(i == 0 || LOAD(done[i - 1]) == 1);
        check_disturb(i);
        STORE(done[i], 1);
#pragma omp ordered depend(source)
    }
}

CASE("static with chunk, dynamic, guided")
{
    memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(static, 3)
    for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        CHECK(i == 0 || LOAD(done[i - 1]) == 1);
        STORE(done[i], 1);
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(1) schedule(dynamic, 2)
    for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        CHECK(i == 0 || LOAD(done[i - 1]) == 2);
        check_disturb(i);
        STORE(done[i], 2);
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(1) schedule(guided)
    for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        CHECK(i == 0 || LOAD(done[i - 1]) == 3);
        STORE(done[i], 3);
#pragma omp ordered depend(source)
    }
}

CASE("schedule(runtime) and auto")
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (int k = 0; k < 4; k++) {
        memset(done, 0, sizeof done);
        omp_set_schedule(kinds[k], 1 + k);
#pragma omp parallel for ordered(1) schedule(runtime)
        for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            CHECK(i == 0 || LOAD(done[i - 1]) == 1);
            STORE(done[i], 1);
#pragma omp ordered depend(source)
        }
    }
}

CASE("memory passes from source to sink without atomics")
{
    static int a[N];
    for (int round = 0; round < 5; round++) {
        a[0] = 1;
#pragma omp parallel for ordered(1) schedule(static, 1)
        for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
        }
        for (int i = 0; i < N; i++)
            CHECK(a[i] == i + 1);
        memset(a, 0, sizeof a);
    }
}

CASE("a distance greater than one")
{
    memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 5)
        CHECK(i < 5 || LOAD(done[i - 5]) == 1);
        STORE(done[i], 1);
#pragma omp ordered depend(source)
    }
}

CASE("several sinks")
{
    memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 2) depend(sink : i - 7)
        CHECK(i < 2 || LOAD(done[i - 2]) == 1);
        CHECK(i < 7 || LOAD(done[i - 7]) == 1);
        check_disturb(i);
        STORE(done[i], 1);
#pragma omp ordered depend(source)
    }
}

CASE("work after the source overlaps with the waiting iterations")
{
    int after = 0;
#pragma omp parallel for ordered(1) schedule(static, 1) shared(after)
    for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        STORE(done[i], 4);
#pragma omp ordered depend(source)
        if (i == 0 && omp_get_num_threads() > 1)
            WAIT_FOR(LOAD(done[1]) == 4); /* iteration 1 is another thread's, and may go on */
        ADD(after, 1);
    }
    CHECK(after == N);
}

static int grid[20][20];

CASE("two dimensions: a wavefront")
{
    for (int round = 0; round < 5; round++) {
        memset(grid, 0, sizeof grid);
        grid[0][0] = 1;
#pragma omp parallel for ordered(2) schedule(dynamic, 1)
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 20; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                if (i + j > 0)
                    grid[i][j] = ((i ? grid[i - 1][j] : 0) + (j ? grid[i][j - 1] : 0)) % 1009;
#pragma omp ordered depend(source)
            }
        int expected[20][20] = {{1}};
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 20; j++) {
                if (i + j > 0)
                    expected[i][j] = ((i ? expected[i - 1][j] : 0) + (j ? expected[i][j - 1] : 0)) % 1009;
                CHECK(grid[i][j] == expected[i][j]);
            }
    }
}

CASE("two dimensions: diagonal neighbours, static")
{
    memset(grid, 0, sizeof grid);
#pragma omp parallel for ordered(2) schedule(static)
    for (int i = 1; i < 20; i++)
        for (int j = 1; j < 19; j++) {
#pragma omp ordered depend(sink : i - 1, j - 1) depend(sink : i - 2, j)
            CHECK(i == 1 || j == 1 || LOAD(grid[i - 1][j - 1]) == 1);
            CHECK(i < 3 || LOAD(grid[i - 2][j]) == 1);
            STORE(grid[i][j], 1);
#pragma omp ordered depend(source)
        }
}

#ifndef __clang__
/* clang tells the runtime one iteration too many in each dimension: such a sink is waited for, for ever. */
CASE("two dimensions: a sink beyond the inner loop's end is ignored")
{
    memset(grid, 0, sizeof grid);
#pragma omp parallel for ordered(2) schedule(static)
    for (int i = 1; i < 20; i++)
        for (int j = 1; j < 19; j++) {
#pragma omp ordered depend(sink : i - 1, j + 1)
            CHECK(i == 1 || j == 18 || LOAD(grid[i - 1][j + 1]) == 1);
            STORE(grid[i][j], 1);
#pragma omp ordered depend(source)
        }
}
#endif

CASE("three dimensions")
{
    static int cube[8][7][6];
    memset(cube, 0, sizeof cube);
#pragma omp parallel for ordered(3) schedule(dynamic, 1)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 7; j++)
            for (int k = 0; k < 6; k++) {
#pragma omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k) depend(sink : i, j, k - 1)
                CHECK(i == 0 || LOAD(cube[i - 1][j][k]));
                CHECK(j == 0 || LOAD(cube[i][j - 1][k]));
                CHECK(k == 0 || LOAD(cube[i][j][k - 1]));
                STORE(cube[i][j][k], 1);
#pragma omp ordered depend(source)
            }
}

CASE("downward loops: the sink before is above")
{
    memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (int i = N - 1; i >= 0; i--) {
#pragma omp ordered depend(sink : i + 1)
        CHECK(i == N - 1 || LOAD(done[i + 1]) == 1);
        STORE(done[i], 1);
#pragma omp ordered depend(source)
    }
}

CASE("steps: the sink is a multiple of the step away")
{
    memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(static, 2)
    for (int i = 1; i < N; i += 3) {
#pragma omp ordered depend(sink : i - 3)
        CHECK(i == 1 || LOAD(done[i - 3]) == 1);
        STORE(done[i], 1);
#pragma omp ordered depend(source)
    }
}

CASE("64-bit and unsigned loop variables")
{
    memset(done, 0, sizeof done);
    long long base = 1LL << 40;
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (long long i = base; i < base + N; i++) {
#pragma omp ordered depend(sink : i - 1)
        CHECK(i == base || LOAD(done[i - base - 1]) == 1);
        STORE(done[i - base], 1);
#pragma omp ordered depend(source)
    }
#ifdef __clang__ /* gcc 12 passes unsigned + 2^32 - 1 for i - 1 to the runtime */
#pragma omp parallel for ordered(1) schedule(static)
    for (unsigned i = 5; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        CHECK(i == 5 || LOAD(done[i - 1]) == 2);
        STORE(done[i], 2);
#pragma omp ordered depend(source)
    }
#endif
    unsigned long long high = ULLONG_MAX - N - 1;
#pragma omp parallel for ordered(1) schedule(static, 4)
    for (unsigned long long i = high; i < high + N; i++) {
#pragma omp ordered depend(sink : i - 2)
        CHECK(i < high + 2 || LOAD(done[i - high - 2]) == 3);
        STORE(done[i - high], 3);
#pragma omp ordered depend(source)
    }
}

CASE("nothing to do, one iteration, in a parallel region")
{
    int n = 0, count = 0;
#pragma omp parallel
    {
#pragma omp for ordered(1)
        for (int i = 0; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
            ADD(count, 1);
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) nowait
        for (int i = 0; i < n + 1; i++) {
#pragma omp ordered depend(sink : i - 1)
            ADD(count, 1);
#pragma omp ordered depend(source)
        }
    }
    CHECK(count == 1);
}

CASE("several doacross loops one after the other without barriers")
{
    static int a[15][30];
    memset(a, 0, sizeof a);
#pragma omp parallel
    for (int round = 0; round < 15; round++) {
#pragma omp for ordered(1) schedule(dynamic, 1) nowait
        for (int i = 0; i < 30; i++) {
#pragma omp ordered depend(sink : i - 1)
            a[round][i] = i ? a[round][i - 1] + 1 : 1;
#pragma omp ordered depend(source)
        }
    }
    for (int round = 0; round < 15; round++)
        CHECK(a[round][29] == 30);
}

CASE("outside of a parallel region")
{
    int count = 0;
#pragma omp for ordered(1)
    for (int i = 0; i < 30; i++) {
#pragma omp ordered depend(sink : i - 1)
        CHECK(count == i);
        count++;
#pragma omp ordered depend(source)
    }
    CHECK(count == 30);
}
