/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Target constructs without a device: they execute on the host (OpenMP 5.2, 13.8; 5.8 for map).
 */
#include "check.h"

CASE("the region runs, on the host when there is no device")
{
    int ran = 0, host = -1;
#pragma omp target map(tofrom : ran) map(from : host)
    {
        ran++;
        host = omp_is_initial_device();
    }
    CHECK(ran == 1 && (omp_get_num_devices() > 0 || host == 1));
}

CASE("tofrom and from of scalars, arrays and sections")
{
    int x = 3, a[20], *p = (int *)malloc(30 * sizeof *p);
    for (int i = 0; i < 20; i++)
        a[i] = i;
    for (int i = 0; i < 30; i++)
        p[i] = i;
#pragma omp target map(tofrom : x, a) map(tofrom : p [5:10])
    {
        x *= 7;
        for (int i = 0; i < 20; i++)
            a[i] += 100;
        for (int i = 5; i < 15; i++)
            p[i] = -p[i];
    }
    CHECK(x == 21);
    for (int i = 0; i < 20; i++)
        CHECK(a[i] == i + 100);
    for (int i = 0; i < 30; i++)
        CHECK(p[i] == (i >= 5 && i < 15 ? -i : i));
    free(p);
}

CASE("scalars are firstprivate by default, arrays are mapped")
{
    int x = 4, a[3] = {1, 2, 3};
#pragma omp target
    {
        x += 10;
        a[0] = x;
    }
    CHECK(x == 4 && a[0] == 14 && a[1] == 2);
}

CASE("private and firstprivate")
{
    int x = 1, y = 2, z = 0;
#pragma omp target private(x) firstprivate(y) map(from : z)
    {
        x = 10;
        y += x;
        z = y;
    }
    CHECK(x == 1 && y == 2 && z == 12);
}

CASE("if(false) and device of the host")
{
    int x = 0, no = 0;
#pragma omp target if (no) map(tofrom : x)
    {
        CHECK(omp_is_initial_device());
        x++;
    }
#pragma omp target device(omp_get_initial_device()) map(tofrom : x)
    {
        CHECK(omp_is_initial_device());
        x++;
    }
    CHECK(x == 2);
}

CASE("a parallel region in target")
{
    int sum = 0;
#pragma omp target map(tofrom : sum)
    {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 100; i++)
            sum += i;
    }
    CHECK(sum == 4950);
#pragma omp target parallel num_threads(3) map(tofrom : sum)
    {
#pragma omp atomic
        sum++;
    }
    CHECK(sum == 4953);
#pragma omp target parallel for map(tofrom : sum) reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += 1;
    CHECK(sum == 4963);
}

CASE("target teams and its combinations")
{
    static int seen[200];
    int teams = 0;
    memset(seen, 0, sizeof seen);
#pragma omp target teams num_teams(2) map(tofrom : teams)
    ADD(teams, 1);
    CHECK(teams >= 1 && teams <= 2);
#pragma omp target teams distribute map(tofrom : seen) num_teams(2)
    for (int i = 0; i < 200; i++)
        seen[i]++;
#pragma omp target teams distribute parallel for map(tofrom : seen)
    for (int i = 0; i < 200; i++)
        seen[i]++;
#pragma omp target teams distribute parallel for simd map(tofrom : seen) thread_limit(4)
    for (int i = 0; i < 200; i++)
        seen[i]++;
#pragma omp target simd map(tofrom : seen)
    for (int i = 0; i < 200; i++)
        seen[i]++;
    for (int i = 0; i < 200; i++)
        CHECK(seen[i] == 4);
}

CASE("reduction on target teams distribute parallel for")
{
    long sum = 1;
    double high = -1;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : high)                    \
    map(tofrom : sum, high)
    for (int i = 0; i < 300; i++) {
        sum += i;
        high = i * 0.5 > high ? i * 0.5 : high;
    }
    CHECK(sum == 1 + 44850 && high == 149.5);
}

struct node {
    int n;
    double *data;
};

CASE("structures and their pointers")
{
    struct node s = {10, (double *)calloc(10, sizeof(double))};
#pragma omp target map(tofrom : s.n) map(tofrom : s.data [0:10])
    {
        for (int i = 0; i < s.n; i++)
            s.data[i] = i * 1.5;
    }
    for (int i = 0; i < 10; i++)
        CHECK(s.data[i] == i * 1.5);
    free(s.data);
}

static CHECK_NOINLINE int from_host(int x)
{
    return x * 2;
}
#if CLANG_AT_LEAST(16) /* the clause's name since 5.2 */
#pragma omp declare target enter(from_host)
#else
#pragma omp declare target to(from_host)
#endif

CASE("a called function")
{
    int x = 0;
#pragma omp target map(from : x)
    x = from_host(21);
    CHECK(x == 42);
}

CASE("target in a parallel region and in tasks")
{
    int count = 0;
#pragma omp parallel num_threads(4)
    {
        int mine = 0;
#pragma omp target map(tofrom : mine)
        mine = 5;
        ADD(count, mine);
    }
    CHECK(count == 20);
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(count)
            {
                int mine = 0;
#pragma omp target map(tofrom : mine)
                mine = 1;
                ADD(count, mine);
            }
        }
    }
    CHECK(count == 30);
}

#ifndef __clang__ /* calls the region as a function when it compiles for the host alone */
CASE("the ICVs of the target region on the host are its own")
{
    int outside = omp_get_max_threads(), inside = 0;
#pragma omp target map(from : inside)
    {
        omp_set_num_threads(3);
        inside = omp_get_max_threads();
    }
    CHECK(inside == 3 && omp_get_max_threads() == outside);
}
#endif
