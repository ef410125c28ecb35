/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The task modifier of reduction: parallel, for and sections whose tasks take part (OpenMP 5.2, 5.5.8).
 */
#include "check.h"

CASE("parallel with reduction(task, ...)")
{
    int sum = 1, expected = 1;
#pragma omp parallel reduction(task, + : sum)
    {
        sum += 10;
        for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        }
    }
    expected += 30 * omp_get_max_threads();
    CHECK(sum == expected);
}

CASE("for with reduction(task, ...)")
{
    long sum = 0;
#pragma omp parallel
    {
#pragma omp for reduction(task, + : sum)
        for (int i = 0; i < 100; i++) {
            sum += 1;
#pragma omp task in_reduction(+ : sum) firstprivate(i)
            sum += i;
        }
        CHECK(sum == 100 + 4950);
    }
    CHECK(sum == 5050);
}

CASE("parallel for with the task modifier and dynamic schedule")
{
    int sum = 0, high = -1;
#pragma omp parallel for reduction(task, + : sum) reduction(task, max : high) schedule(dynamic)
    for (int i = 0; i < 60; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(max : high) firstprivate(i)
        {
            sum += 2;
            high = i > high ? i : high;
        }
    }
    CHECK(sum == 120 && high == 59);
}

CASE("sections with the task modifier")
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp sections reduction(task, + : sum)
        {
#pragma omp section
            {
#pragma omp task in_reduction(+ : sum)
                sum += 1;
                sum += 10;
            }
#pragma omp section
            {
#pragma omp task in_reduction(+ : sum)
                sum += 100;
            }
        }
        CHECK(sum == 111);
    }
}

CASE("many rounds in one region")
{
    int sum = 0;
#pragma omp parallel
    for (int round = 1; round <= 20; round++) {
#pragma omp for reduction(task, + : sum)
        for (int i = 0; i < 12; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        }
        CHECK(sum == 12 * round);
#pragma omp barrier
    }
}

CASE("an array in a parallel region")
{
    int a[5] = {0};
#pragma omp parallel reduction(task, + : a) num_threads(4)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : a) firstprivate(i)
        a[i % 5]++;
    }
    for (int i = 0; i < 5; i++)
        CHECK(a[i] == 8);
}

CASE("regions of one thread")
{
    int sum = 0;
#pragma omp parallel reduction(task, + : sum) num_threads(1)
    {
#pragma omp task in_reduction(+ : sum)
        sum += 1;
    }
#pragma omp parallel reduction(task, + : sum) if (0)
    {
#pragma omp task in_reduction(+ : sum)
        sum += 1;
    }
    CHECK(sum == 2);
}
