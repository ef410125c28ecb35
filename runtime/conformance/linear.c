/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The linear clause, and the simd construct and declare simd (OpenMP 5.2, 5.4.6, 10.4, 7.7).
 */
#include "check.h"

#define N 300
static int a[N];

CASE("linear on a work-sharing loop")
{
    int j = 10;
#pragma omp parallel for linear(j : 3)
    for (int i = 0; i < N; i++) {
        CHECK(j == 10 + 3 * i);
        a[i] = j;
        j += 3;
    }
    CHECK(j == 10 + 3 * N);
    for (int i = 0; i < N; i++)
        CHECK(a[i] == 10 + 3 * i);
}

CASE("linear with chunks and dynamic schedule")
{
    int j = 0;
    long k = 5;
#pragma omp parallel for linear(j) linear(k : 2) schedule(static, 7)
    for (int i = 0; i < N; i++) {
        CHECK(j == i && k == 5 + 2 * i);
        j++;
        k += 2;
    }
    CHECK(j == N && k == 5 + 2 * N);
    j = 0;
#pragma omp parallel for linear(j : 4) schedule(monotonic : dynamic, 5)
    for (int i = 0; i < N; i++) {
        CHECK(j == 4 * i);
        j += 4;
    }
    CHECK(j == 4 * N);
}

CASE("linear pointers")
{
    int *p = a;
#pragma omp parallel for linear(p : 1)
    for (int i = 0; i < N; i++) {
        *p = -i;
        p++;
    }
    CHECK(p == a + N);
    for (int i = 0; i < N; i++)
        CHECK(a[i] == -i);
}

#ifndef __clang__ /* takes the step for zero */
CASE("a step that is a variable of the region")
{
    int j = 1, distance = 6;
#pragma omp parallel for linear(j : distance)
    for (int i = 0; i < N; i++) {
        CHECK(j == 1 + 6 * i);
        j += 6;
    }
    CHECK(j == 1 + 6 * N);
}
#endif

CASE("simd with linear, private, lastprivate and reduction")
{
    int j = 2, x = 0, sum = 0;
#pragma omp simd linear(j : 2) lastprivate(x) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        a[i] = j;
        x = i;
        sum += 1;
        j += 2;
    }
    CHECK(j == 2 + 2 * N && x == N - 1 && sum == N);
    for (int i = 0; i < N; i++)
        CHECK(a[i] == 2 + 2 * i);
}

CASE("safelen, simdlen, aligned and nontemporal change nothing of the meaning")
{
    static _Alignas(64) float f[N], g[N];
    for (int i = 0; i < N; i++)
        f[i] = (float)i;
#pragma omp simd safelen(4) simdlen(4)
    for (int i = 4; i < N; i++)
        f[i] = f[i - 4] + 1;
    for (int i = 0; i < N; i++)
        CHECK(f[i] == (float)(i % 4 + i / 4));
#pragma omp simd aligned(f, g : 64) nontemporal(g)
    for (int i = 0; i < N; i++)
        g[i] = f[i] * 2;
    for (int i = 0; i < N; i++)
        CHECK(g[i] == 2 * f[i]);
}

#pragma omp declare simd uniform(base) linear(i)
static CHECK_NOINLINE int from_table(const int *base, int i)
{
    return base[i] * 2;
}
#pragma omp declare simd notinbranch
static CHECK_NOINLINE int plus_one(int x)
{
    return x + 1;
}

CASE("declare simd functions give what the plain ones give")
{
    static int t[N], r[N];
    for (int i = 0; i < N; i++)
        t[i] = i * 3;
#pragma omp simd
    for (int i = 0; i < N; i++)
        r[i] = plus_one(from_table(t, i));
    for (int i = 0; i < N; i++)
        CHECK(r[i] == 6 * i + 1);
}

CASE("for simd: linear and a collapsed nest")
{
    static int grid[20][15];
#pragma omp parallel for simd collapse(2)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 15; j++)
            grid[i][j] = i * 15 + j;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 15; j++)
            CHECK(grid[i][j] == i * 15 + j);
}

CASE("if on simd")
{
    int no = 0, sum = 0;
#pragma omp simd if (no) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += i;
    CHECK(sum == N * (N - 1) / 2);
}
