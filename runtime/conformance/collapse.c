/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The collapse clause on rectangular loop nests (OpenMP 5.2, 4.4.3).
 */
#include "check.h"

CASE("two loops: each pair once, with each schedule")
{
    static int seen[4][13][11];
    memset(seen, 0, sizeof seen);
#pragma omp parallel
    {
#pragma omp for collapse(2) schedule(static)
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 11; j++)
                ADD(seen[0][i][j], 1);
#pragma omp for collapse(2) schedule(static, 5)
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 11; j++)
                ADD(seen[1][i][j], 1);
#pragma omp for collapse(2) schedule(dynamic, 4)
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 11; j++)
                ADD(seen[2][i][j], 1);
#pragma omp for collapse(2) schedule(guided)
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 11; j++)
                ADD(seen[3][i][j], 1);
    }
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 11; j++)
                CHECK(seen[k][i][j] == 1);
}

CASE("the iterations are divided as one space of i * m + j")
{
#pragma omp parallel
    {
        int threads = omp_get_num_threads();
#pragma omp for collapse(2) schedule(static, 3)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 9; j++)
                CHECK(omp_get_thread_num() == (i * 9 + j) / 3 % threads);
    }
}

CASE("three and four loops")
{
    int three = 0, four = 0;
#pragma omp parallel for collapse(3) reduction(+ : three)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++)
                three += i * 100 + j * 10 + k;
#pragma omp parallel for collapse(4) reduction(+ : four) schedule(dynamic, 2)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    four += 1;
    CHECK(three == 12 * 100 * 10 + 15 * 10 * 6 + 20 * 3);
    CHECK(four == 81);
}

CASE("loops of different types, directions and steps")
{
    int count = 0;
    long sum = 0;
#pragma omp parallel for collapse(3) reduction(+ : count, sum)
    for (unsigned char c = 3; c < 9; c += 2)
        for (long long l = 1LL << 40; l > (1LL << 40) - 10; l -= 3)
            for (short s = -5; s <= 5; s += 5) {
                count++;
                sum += c + ((1LL << 40) - l) + s;
            }
    CHECK(count == 3 * 4 * 3);
    CHECK(sum == 12 * 15 + 9 * 18);
}

CASE("a loop of the nest that does not run")
{
    int count = 0, n = 0;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < n; j++)
            ADD(count, 1);
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 10; j++)
            ADD(count, 1);
#pragma omp parallel for collapse(3) schedule(guided)
    for (int i = 0; i < 10; i++)
        for (int j = 5; j < n; j++)
            for (int k = 0; k < 10; k++)
                ADD(count, 1);
    CHECK(count == 0);
}

CASE("64-bit bounds")
{
    long long count = 0, big = 1LL << 40;
#pragma omp parallel for collapse(2) schedule(static, 2) reduction(+ : count)
    for (long long i = -big; i < -big + 30; i += 10)
        for (long long j = big; j < big + 3; j++)
            count += j - big + i + big;
    CHECK(count == 3 * 3 + 3 * 30);
}

CASE("an inner loop that is not collapsed is the iteration's own")
{
    int count = 0;
#pragma omp parallel for collapse(1) reduction(+ : count)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < i; j++)
            count++;
    CHECK(count == 190);
}

CASE("statements between the loops where the compiler knows them")
{
    int count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < 10; i++) {
        int base = i * 3;
        for (int j = base; j < base + 3; j++)
            count++;
    }
    CHECK(count == 30);
}

CASE("bounds from expressions evaluated once")
{
    int n = 6, m = 7, count = 0;
#pragma omp parallel for collapse(2) reduction(+ : count) firstprivate(n, m)
    for (int i = n - 6; i < n * 2; i += n / 3)
        for (int j = m; j > -m; j -= m - 5)
            count++;
    CHECK(count == 6 * 7);
}

CASE("with ordered: the nest's order")
{
    int next = 0;
#pragma omp parallel for collapse(2) ordered schedule(static, 2)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 5; j++) {
#pragma omp ordered
            {
                CHECK(next == i * 5 + j);
                next++;
            }
        }
    CHECK(next == 40);
}

CASE("pointers as loop variables")
{
    static int grid[6][8];
    memset(grid, 0, sizeof grid);
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 6; i++)
        for (int *p = &grid[0][0]; p < &grid[0][0] + 8; p++)
            ADD(*(p + 8 * i), 1);
    for (int k = 0; k < 48; k++)
        CHECK(grid[k / 8][k % 8] == 1);
}

CASE("taskloop and simd with collapse")
{
    static int seen[7][9];
    memset(seen, 0, sizeof seen);
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop collapse(2) grainsize(4)
            for (int i = 0; i < 7; i++)
                for (int j = 0; j < 9; j++)
                    ADD(seen[i][j], 1);
        }
    }
#pragma omp simd collapse(2)
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 9; j++)
            seen[i][j] += 10;
    for (int k = 0; k < 63; k++)
        CHECK(seen[k / 9][k % 9] == 11);
}
