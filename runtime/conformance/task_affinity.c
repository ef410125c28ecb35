/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The affinity clause of task: a hint (OpenMP 5.2, 12.5.1).
 */
#include "check.h"

CASE("tasks with an affinity clause run once")
{
    static double a[1000];
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task affinity(a [i * 10:10]) shared(count) firstprivate(i)
            {
                for (int j = 0; j < 10; j++)
                    a[i * 10 + j] = i;
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 100);
    for (int i = 0; i < 1000; i++)
        CHECK(a[i] == i / 10);
}

CASE("several, with a dependence")
{
    int x = 0, y = 0, z[10] = {0};
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task affinity(x, y, z) depend(inout : x) shared(x, y, z) firstprivate(i)
            {
                CHECK(x == i);
                x++, y++;
                z[i % 10]++;
            }
        }
    }
    CHECK(x == 20 && y == 20 && z[0] == 2 && z[9] == 2);
}

CASE("an iterator in the affinity clause")
{
    int a[8] = {0}, count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task affinity(iterator(k = 0 : 8) : a[k]) shared(a, count)
            {
                ADD(a[0], 1);
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 10 && a[0] == 10);
}

CASE("undeferred, untied and final tasks with an affinity clause")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task if (0) affinity(x) shared(x)
            ADD(x, 1);
#pragma omp task untied affinity(x) shared(x)
            ADD(x, 1);
#pragma omp task final(1) affinity(x) shared(x)
            ADD(x, 1);
        }
    }
    CHECK(x == 3);
}
