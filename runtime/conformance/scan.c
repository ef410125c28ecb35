/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The scan directive with inscan reductions (OpenMP 5.2, 5.6).
 */
#include "check.h"

#define N 400
static int a[N], b[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (i * 31 + 7) % 23 - 11;
        b[i] = INT_MIN;
    }
}

CASE("inclusive, parallel for")
{
    fill();
    int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < N; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        b[i] = sum;
    }
    int expected = 0;
    for (int i = 0; i < N; i++) {
        expected += a[i];
        CHECK(b[i] == expected);
    }
    CHECK(sum == expected);
}

CASE("exclusive, parallel for")
{
    fill();
    int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < N; i++) {
        b[i] = sum;
#pragma omp scan exclusive(sum)
        sum += a[i];
    }
    int expected = 0;
    for (int i = 0; i < N; i++) {
        CHECK(b[i] == expected);
        expected += a[i];
    }
    CHECK(sum == expected);
}

#ifndef __clang__ /* its code starts from the identity, or needs a combined construct and an iteration */
CASE("the original value is the start")
{
    fill();
    int sum = 1000;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < N; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        b[i] = sum;
    }
    int expected = 1000;
    for (int i = 0; i < N; i++) {
        expected += a[i];
        CHECK(b[i] == expected);
    }
    CHECK(sum == expected);
}

CASE("for in a parallel region, twice")
{
    fill();
    int sum = 0, product = 1;
#pragma omp parallel
    {
#pragma omp for reduction(inscan, + : sum)
        for (int i = 0; i < N; i++) {
            sum += a[i];
#pragma omp scan inclusive(sum)
            b[i] = sum;
        }
#pragma omp for reduction(inscan, * : product)
        for (int i = 0; i < N; i++) {
            product *= i % 100 == 0 ? 3 : 1;
#pragma omp scan inclusive(product)
            CHECK(product == (i < 100 ? 3 : i < 200 ? 9 : i < 300 ? 27 : 81));
        }
    }
    int expected = 0;
    for (int i = 0; i < N; i++) {
        expected += a[i];
        CHECK(b[i] == expected);
    }
    CHECK(product == 81);
}
#endif

CASE("a running maximum")
{
    fill();
    int high = INT_MIN;
#pragma omp parallel for reduction(inscan, max : high)
    for (int i = 0; i < N; i++) {
        high = a[i] > high ? a[i] : high;
#pragma omp scan inclusive(high)
        b[i] = high;
    }
    int expected = INT_MIN;
    for (int i = 0; i < N; i++) {
        expected = a[i] > expected ? a[i] : expected;
        CHECK(b[i] == expected);
    }
}

#if defined __clang__ || GCC_AT_LEAST(12) /* gcc 11: one statement before the directive */
CASE("several variables")
{
    fill();
    long sum = 0;
    double total = 0;
    static double d[N];
#pragma omp parallel for reduction(inscan, + : sum, total)
    for (int i = 0; i < N; i++) {
        sum += a[i];
        total += i;
#pragma omp scan inclusive(sum, total)
        b[i] = (int)sum;
        d[i] = total;
    }
    long expected = 0;
    for (int i = 0; i < N; i++) {
        expected += a[i];
        CHECK(b[i] == expected && d[i] == 0.5 * i * (i + 1));
    }
}
#endif

#ifndef __clang__
CASE("few iterations, and none")
{
    for (int n = 0; n < 20; n++) {
        fill();
        int sum = 3;
#pragma omp parallel for reduction(inscan, + : sum)
        for (int i = 0; i < n; i++) {
            b[i] = sum;
#pragma omp scan exclusive(sum)
            sum += i;
        }
        for (int i = 0; i < n; i++)
            CHECK(b[i] == 3 + i * (i - 1) / 2);
        CHECK(sum == 3 + n * (n - 1) / 2);
    }
}
#endif

CASE("for simd")
{
    fill();
    int sum = 0;
#pragma omp parallel for simd reduction(inscan, + : sum)
    for (int i = 0; i < N; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        b[i] = sum;
    }
    int expected = 0;
    for (int i = 0; i < N; i++) {
        expected += a[i];
        CHECK(b[i] == expected);
    }
}

CASE("simd alone, inclusive and exclusive")
{
    fill();
    int sum = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (int i = 0; i < N; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        b[i] = sum;
    }
    int expected = 0;
    for (int i = 0; i < N; i++) {
        expected += a[i];
        CHECK(b[i] == expected);
    }
    sum = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (int i = 0; i < N; i++) {
        b[i] = sum;
#pragma omp scan exclusive(sum)
        sum += a[i];
    }
    expected = 0;
    for (int i = 0; i < N; i++) {
        CHECK(b[i] == expected);
        expected += a[i];
    }
}
