/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * masked taskloop, parallel masked taskloop and their simd forms (OpenMP 5.1, 2.16).
 */
#include "check.h"

CASE("masked taskloop")
{
    int a[100] = {0};
#pragma omp parallel
    {
#pragma omp masked taskloop num_tasks(7)
        for (int i = 0; i < 100; i++)
            ADD(a[i], 1);
    }
    for (int i = 0; i < 100; i++)
        CHECK(a[i] == 1);
}

#ifndef __clang__ /* 22 leaves the filter out */
CASE("masked taskloop with filter")
{
    int count = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp masked taskloop filter(2) shared(count)
        for (int i = 0; i < 100; i++)
            ADD(count, 1);
#pragma omp masked taskloop filter(7) shared(count)
        for (int i = 0; i < 100; i++)
            ADD(count, 1);
    }
    CHECK(count == 100);
}
#endif

CASE("parallel masked taskloop, with a reduction")
{
    long sum = 0;
#pragma omp parallel masked taskloop reduction(+ : sum) num_tasks(7)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK(sum == 4950);
}

CASE("the simd forms")
{
    int a[100] = {0};
#pragma omp parallel
    {
#pragma omp masked taskloop simd
        for (int i = 0; i < 100; i++)
            a[i] += i;
    }
#pragma omp parallel masked taskloop simd shared(a)
    for (int i = 0; i < 100; i++)
        a[i] += i;
    for (int i = 0; i < 100; i++)
        CHECK(a[i] == 2 * i);
}
