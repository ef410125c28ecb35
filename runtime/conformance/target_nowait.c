/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Target tasks: nowait and depend on target constructs, on the host (OpenMP 5.2, 13.8, 12.5).
 */
#include "check.h"

CASE("nowait: complete at the taskwait")
{
    int a[100];
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < 100; i++)
                a[i] = 0;
#pragma omp target map(tofrom : a) nowait
            for (int i = 0; i < 100; i++)
                a[i] = i;
#pragma omp taskwait
            for (int i = 0; i < 100; i++)
                CHECK(a[i] == i);
        }
    }
}

CASE("depend orders target tasks")
{
    int x = 1;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp target map(tofrom : x) depend(inout : x) nowait
            x += 4;
#pragma omp target map(tofrom : x) depend(inout : x) nowait
            x *= 10;
#pragma omp target map(tofrom : x) depend(inout : x) nowait
            x -= 8;
#pragma omp taskwait
        }
    }
    CHECK(x == 42);
}

CASE("target and host tasks depend on each other")
{
    int x = 0, y = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(out : x) shared(x)
            x = 3;
#pragma omp target map(to : x) map(from : y) depend(in : x) depend(out : y) nowait
            y = x * 2;
#pragma omp task depend(inout : y) shared(y)
            y += 1;
#pragma omp taskwait
        }
    }
    CHECK(x == 3 && y == 7);
}

CASE("depend without nowait waits")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(out : x) shared(x)
            {
                sched_yield();
                x = 5;
            }
#pragma omp target map(tofrom : x) depend(inout : x)
            x++;
            CHECK(x == 6);
        }
    }
}

CASE("many target tasks")
{
    static int a[60];
    memset(a, 0, sizeof a);
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 60; i++) {
#pragma omp target map(tofrom : a [i:1]) firstprivate(i) nowait
            a[i] += i;
        }
    }
    for (int i = 0; i < 60; i++)
        CHECK(a[i] == i);
}

CASE("firstprivate values are those at the construct")
{
    static int a[20];
    memset(a, -1, sizeof a);
#pragma omp parallel
    {
#pragma omp single
        {
            int v = 0;
            for (int i = 0; i < 20; i++) {
#pragma omp target map(from : a [i:1]) firstprivate(v, i) nowait
                a[i] = v;
                v += 3;
            }
#pragma omp taskwait
        }
    }
    for (int i = 0; i < 20; i++)
        CHECK(a[i] == 3 * i);
}

CASE("outside of a parallel region")
{
    int x = 0;
#pragma omp target map(tofrom : x) nowait
    x = 9;
#pragma omp taskwait
    CHECK(x == 9);
#pragma omp target map(tofrom : x) depend(inout : x) nowait
    x++;
#pragma omp target map(tofrom : x) depend(inout : x) nowait
    x *= 2;
#pragma omp taskwait
    CHECK(x == 20);
}

CASE("in a taskgroup")
{
#pragma omp parallel
    {
#pragma omp single
        {
            int x = 0;
#pragma omp taskgroup
            {
#pragma omp target map(tofrom : x) nowait
                x = 4;
            }
            CHECK(x == 4);
        }
    }
}

CASE("target teams distribute parallel for nowait with depend")
{
    static int a[200];
    memset(a, 0, sizeof a);
#pragma omp parallel
    {
#pragma omp single
        for (int round = 0; round < 4; round++) {
#pragma omp target teams distribute parallel for map(tofrom : a) depend(inout : a[0]) nowait num_teams(2)
            for (int i = 0; i < 200; i++)
                a[i] = a[i] * 2 + 1;
        }
    }
    for (int i = 0; i < 200; i++)
        CHECK(a[i] == 15);
}
