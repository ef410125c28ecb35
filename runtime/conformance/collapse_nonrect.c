/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Non-rectangular loop nests (OpenMP 5.0, 2.9.1; 5.2, 4.4.2); no schedule clause is allowed on them.
 */
#include "check.h"

#define N 24
static int seen[N][N];

static int exactly(int (*wanted)(int, int))
{
    int good = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            good &= seen[i][j] == wanted(i, j);
            seen[i][j] = 0;
        }
    return good;
}

static int lower(int i, int j)
{
    return j <= i;
}
static int upper(int i, int j)
{
    return j > i;
}

CASE("the lower triangle")
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            ADD(seen[i][j], 1);
    CHECK(exactly(lower));
}

CASE("the upper triangle")
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            ADD(seen[i][j], 1);
    CHECK(exactly(upper));
}

CASE("triangles, with the other comparisons")
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i + 1; j++)
            ADD(seen[i][j], 1);
    CHECK(exactly(lower));
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            ADD(seen[i][j], 1);
    CHECK(exactly(upper));
}

static int band(int i, int j)
{
    return j >= 2 * i && j < 2 * i + 4;
}

CASE("a band with a factor")
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 10; i++)
        for (int j = 2 * i; j < 2 * i + 4; j++)
            ADD(seen[i][j], 1);
    int good = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            good &= seen[i][j] == (i < 10 && band(i, j));
            seen[i][j] = 0;
        }
    CHECK(good);
}

CASE("outer iterations whose inner loop does not run")
{
    int count = 0;
#pragma omp parallel for collapse(2) reduction(+ : count)
    for (int i = 0; i < 30; i++)
        for (int j = i; j < 10; j++)
            count++;
    CHECK(count == 55);
}

CASE("downward outer loop and steps")
{
    int count = 0, expected = 0;
    long sum = 0, wanted = 0;
#pragma omp parallel for collapse(2) reduction(+ : count, sum)
    for (int i = 20; i > 0; i -= 4)
        for (int j = 0; j < i; j += 2) {
            count++;
            sum += i * 100 + j;
        }
    for (int i = 20; i > 0; i -= 4)
        for (int j = 0; j < i; j += 2) {
            expected++;
            wanted += i * 100 + j;
        }
    CHECK(count == expected && sum == wanted);
}

CASE("three loops, the middle one depends on the first")
{
    int count = 0;
#pragma omp parallel for collapse(3) reduction(+ : count)
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < 4; k++)
                count++;
    CHECK(count == 36 * 4);
}

CASE("three loops, the last one depends on the first")
{
    int count = 0;
#pragma omp parallel for collapse(3) reduction(+ : count)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 3; j++)
            for (int k = i; k < 8; k++)
                count++;
    CHECK(count == 36 * 3);
}

CASE("64-bit variables")
{
    long count = 0;
    long long base = 1LL << 35;
#pragma omp parallel for collapse(2) reduction(+ : count)
    for (long long i = base; i < base + 12; i++)
        for (long long j = base; j < i; j++)
            count += (long)(i - j);
    CHECK(count == 286);
}

CASE("lastprivate of a triangle")
{
    int x = -1;
#pragma omp parallel for collapse(2) lastprivate(x)
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            x = i * 1000 + j;
    CHECK(x == 23023);
}
