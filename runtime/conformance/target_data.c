/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * target data, enter data, exit data, update and declare target on the host (OpenMP 5.2, 13.5 to 13.9).
 */
#include "check.h"

CASE("target data: the results are on the host at the end")
{
    int a[50], b[50];
    for (int i = 0; i < 50; i++)
        a[i] = i, b[i] = 0;
#pragma omp target data map(to : a) map(from : b)
    {
#pragma omp target
        for (int i = 0; i < 50; i++)
            b[i] = a[i] * 2;
#pragma omp target
        for (int i = 0; i < 50; i++)
            b[i] += 1;
    }
    for (int i = 0; i < 50; i++)
        CHECK(b[i] == 2 * i + 1);
}

CASE("enter data, update, exit data")
{
    double *p = (double *)malloc(40 * sizeof *p);
    for (int i = 0; i < 40; i++)
        p[i] = i;
#pragma omp target enter data map(to : p [0:40])
#pragma omp target
    for (int i = 0; i < 40; i++)
        p[i] *= 2;
#pragma omp target update from(p [0:40])
    for (int i = 0; i < 40; i++) {
        CHECK(p[i] == 2.0 * i);
        p[i] = -1;
    }
#pragma omp target update to(p [10:5])
#pragma omp target exit data map(from : p [0:40])
    for (int i = 10; i < 15; i++)
        CHECK(p[i] == -1);
    free(p);
}

CASE("enter data with alloc, exit data with delete")
{
    int *p = (int *)malloc(10 * sizeof *p), sum = 0;
#pragma omp target enter data map(alloc : p [0:10])
#pragma omp target
    for (int i = 0; i < 10; i++)
        p[i] = i;
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < 10; i++)
        sum += p[i];
#pragma omp target exit data map(delete : p [0:10])
    CHECK(sum == 45);
    free(p);
}

CASE("if(false)")
{
    int x = 1, no = 0;
#pragma omp target data map(tofrom : x) if (no)
    {
#pragma omp target map(tofrom : x) if (no)
        x = 2;
#pragma omp target update to(x) if (no)
    }
#pragma omp target enter data map(to : x) if (no)
#pragma omp target exit data map(from : x) if (no)
    CHECK(x == 2);
}

int global = 7; /* of external linkage, which clang asks for */
int table[10];
#if CLANG_AT_LEAST(16) /* the clause's name since 5.2 */
#pragma omp declare target enter(global, table)
#else
#pragma omp declare target to(global, table)
#endif

CASE("declare target variables")
{
    int seen = 0;
    global = 9;
#pragma omp target update to(global)
#pragma omp target map(from : seen)
    {
        seen = global;
        global = 11;
        for (int i = 0; i < 10; i++)
            table[i] = i * i;
    }
#pragma omp target update from(global, table)
    CHECK(seen == 9 && global == 11 && table[9] == 81);
}

CASE("nowait and depend on data directives")
{
    int a[20];
    for (int i = 0; i < 20; i++)
        a[i] = i;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp target enter data map(to : a) depend(out : a[0]) nowait
#pragma omp target depend(inout : a[0]) nowait
            for (int i = 0; i < 20; i++)
                a[i] += 5;
#pragma omp target update from(a) depend(inout : a[0]) nowait
#pragma omp target exit data map(from : a) depend(inout : a[0]) nowait
#pragma omp taskwait
        }
    }
    for (int i = 0; i < 20; i++)
        CHECK(a[i] == i + 5);
}

CASE("use_device_ptr and use_device_addr name something usable in a target region")
{
    int a[10], *p = a, x = 3;
    for (int i = 0; i < 10; i++)
        a[i] = i;
#pragma omp target data map(tofrom : a [0:10]) use_device_ptr(p)
    {
#pragma omp target is_device_ptr(p)
        for (int i = 0; i < 10; i++)
            p[i] += 1;
    }
    for (int i = 0; i < 10; i++)
        CHECK(a[i] == i + 1);
#pragma omp target data map(tofrom : x) use_device_addr(x)
    {
        CHECK(&x != NULL);
    }
}

CASE("nested data regions keep the outer mapping")
{
    int x = 1;
#pragma omp target data map(tofrom : x)
    {
#pragma omp target data map(tofrom : x)
        {
#pragma omp target map(tofrom : x)
            x++;
        }
#pragma omp target map(tofrom : x)
        x++;
    }
    CHECK(x == 3);
}
