/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The copyprivate clause of single (OpenMP 5.2, 5.7.2).
 */
#include "check.h"

CASE("a scalar reaches all threads")
{
#pragma omp parallel
    for (int i = 0; i < 50; i++) {
        int x = -1, executor = -1;
#pragma omp single copyprivate(x, executor)
        {
            x = i;
            executor = omp_get_thread_num();
        }
        CHECK(x == i);
        CHECK(executor >= 0 && executor < omp_get_num_threads());
        x = -2; /* a slower thread must not see this */
    }
}

CASE("arrays, structures and pointers")
{
    struct big {
        int n;
        char text[500];
        double d[10];
    };
#pragma omp parallel
    {
        int a[40] = {0};
        struct big s = {0, "", {0}};
        const char *p = NULL;
        static const char text[] = "pointer";
#pragma omp single copyprivate(a, s, p)
        {
            for (int i = 0; i < 40; i++)
                a[i] = i * i;
            s.n = 7;
            strcpy(s.text, "structure");
            s.d[9] = 4.5;
            p = text;
        }
        for (int i = 0; i < 40; i++)
            CHECK(a[i] == i * i);
        CHECK(s.n == 7 && strcmp(s.text, "structure") == 0 && s.d[9] == 4.5);
        CHECK(p == text);
    }
}

static int shared_by_thread;
#pragma omp threadprivate(shared_by_thread)

CASE("a threadprivate variable")
{
#pragma omp parallel
    for (int i = 0; i < 20; i++) {
        shared_by_thread = -omp_get_thread_num();
#pragma omp single copyprivate(shared_by_thread)
        shared_by_thread = 1000 + i;
        CHECK(shared_by_thread == 1000 + i);
    }
}

CASE("a private variable of the region")
{
    int x = 5;
#pragma omp parallel private(x)
    {
        x = omp_get_thread_num();
#pragma omp single copyprivate(x)
        x = 321;
        CHECK(x == 321);
    }
    CHECK(x == 5);
}

CASE("a firstprivate variable keeps the executor's change")
{
    int x = 5;
#pragma omp parallel firstprivate(x)
    {
        CHECK(x == 5);
#pragma omp single copyprivate(x)
        x += 2;
        CHECK(x == 7);
    }
    CHECK(x == 5);
}

CASE("many types at once")
{
#pragma omp parallel
    {
        char c = 0;
        short s = 0;
        long l = 0;
        float f = 0;
        double d = 0;
        long double ld = 0;
        unsigned long long u = 0;
#pragma omp single copyprivate(c, s, l, f, d, ld, u)
        {
            c = 'c';
            s = -3;
            l = 1L << 50;
            f = 0.5f;
            d = 0.25;
            ld = 0.125L;
            u = ULLONG_MAX;
        }
        CHECK(c == 'c' && s == -3 && l == 1L << 50 && f == 0.5f && d == 0.25 && ld == 0.125L &&
              u == ULLONG_MAX);
    }
}

static CHECK_NOINLINE int broadcast(int value)
{
    int x;
#pragma omp single copyprivate(x)
    x = value;
    return x;
}

CASE("in a called function, within and without a region")
{
    CHECK(broadcast(12) == 12);
#pragma omp parallel
    for (int i = 0; i < 30; i++)
        CHECK(broadcast(i) == i);
}

CASE("in nested teams")
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        for (int i = 0; i < 10; i++) {
            int x = -1;
#pragma omp single copyprivate(x)
            x = 100 * outer + i;
            CHECK(x == 100 * outer + i);
        }
    }
    omp_set_max_active_levels(1);
}

#ifndef __clang__ /* refuses it */
CASE("a variable length array")
{
#pragma omp parallel
    {
        int n = 20 + (omp_get_level() > 50);
        int a[n];
        for (int i = 0; i < n; i++)
            a[i] = 0;
#pragma omp single copyprivate(a)
        for (int i = 0; i < n; i++)
            a[i] = 3 * i;
        for (int i = 0; i < n; i++)
            CHECK(a[i] == 3 * i);
    }
}
#endif
