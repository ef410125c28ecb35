/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The master construct and its combinations (OpenMP 5.0, 2.16; deprecated since 5.1).
 */
#include "check.h"

CASE("the primary thread alone")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp master
        {
            count++;
            CHECK(omp_get_thread_num() == 0);
        }
    }
    CHECK(count == 1);
}

CASE("no barrier at either end")
{
    int others = 0;
#pragma omp parallel shared(others)
    {
#pragma omp master
        WAIT_FOR(LOAD(others) == omp_get_num_threads() - 1);
        if (omp_get_thread_num() != 0)
            ADD(others, 1);
    }
}

CASE("parallel master")
{
    int count = 0;
#pragma omp parallel master num_threads(4)
    ADD(count, 1);
    CHECK(count == 1);
}

CASE("master taskloop")
{
    int a[100] = {0};
#pragma omp parallel
    {
#pragma omp master taskloop
        for (int i = 0; i < 100; i++)
            ADD(a[i], 1);
    }
    for (int i = 0; i < 100; i++)
        CHECK(a[i] == 1);
}

CASE("parallel master taskloop, with a reduction")
{
    long sum = 0;
#pragma omp parallel master taskloop reduction(+ : sum) num_tasks(7)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK(sum == 4950);
}

CASE("parallel master taskloop simd")
{
    int a[100] = {0};
#pragma omp parallel master taskloop simd shared(a)
    for (int i = 0; i < 100; i++)
        a[i] += i;
    for (int i = 0; i < 100; i++)
        CHECK(a[i] == i);
}

CASE("outside of a parallel region and in an inactive one")
{
    int count = 0;
#pragma omp master
    count++;
#pragma omp parallel if (0)
    {
#pragma omp master
        count++;
    }
    CHECK(count == 2);
}
