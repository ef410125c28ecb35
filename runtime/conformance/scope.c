/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The scope construct (OpenMP 5.1, 2.11; 5.2, 11.2).
 */
#include "check.h"

CASE("all threads execute the block, the barrier is at its end")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp scope
        ADD(count, 1);
        CHECK(LOAD(count) == omp_get_num_threads());
    }
}

CASE("private variables")
{
    int x = 5;
#pragma omp parallel num_threads(4)
    {
#pragma omp scope private(x)
        {
            x = omp_get_thread_num();
#pragma omp barrier
            CHECK(x == omp_get_thread_num());
        }
    }
    CHECK(x == 5);
}

CASE("reduction")
{
    int sum = 100, high = -1;
#pragma omp parallel num_threads(4)
    {
#pragma omp scope reduction(+ : sum) reduction(max : high)
        {
            sum += 1;
            high = omp_get_thread_num();
        }
        CHECK(sum == 104 && high == 3);
    }
    CHECK(sum == 104 && high == 3);
}

CASE("many rounds, nowait among them")
{
    int sum = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 30; i++) {
#pragma omp scope nowait
        check_disturb(i);
#pragma omp scope reduction(+ : sum)
        sum += i;
    }
    CHECK(sum == 4 * 435);
}

CASE("nowait with a reduction: complete at the barrier")
{
    int sum = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp scope reduction(+ : sum) nowait
        sum += 2;
#pragma omp barrier
        CHECK(sum == 8);
    }
}

#ifndef __clang__ /* 22 refuses the modifier */
CASE("task reduction")
{
    int sum = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp scope reduction(task, + : sum)
        for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        }
    }
    CHECK(sum == 15);
}
#endif

CASE("an array, and work-sharing of its own region outside")
{
    int a[3] = {0}, loop = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp scope reduction(+ : a)
        a[omp_get_thread_num() % 3]++;
#pragma omp for reduction(+ : loop)
        for (int i = 0; i < 10; i++)
            loop++;
    }
    CHECK(a[0] == 2 && a[1] == 1 && a[2] == 1 && loop == 10);
}
