/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The firstprivate and private clauses on work-sharing and tasks (OpenMP 5.2, 5.4.3 and 5.4.4).
 */
#include "check.h"

CASE("on a loop: each thread's copy starts with the original's value")
{
    int x = 7, sum = 0;
#pragma omp parallel
    {
        int first = 1;
#pragma omp for firstprivate(x)
        for (int i = 0; i < 100; i++) {
            if (first)
                CHECK(x == 7);
            first = 0;
            x++;
            ADD(sum, 1);
        }
        CHECK(x == 7);
    }
    CHECK(x == 7 && sum == 100);
}

static int x_of_file;

CASE("of a variable of the file, set in the region")
{
    x_of_file = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        x_of_file = 5;
#pragma omp for firstprivate(x_of_file)
        for (int i = 0; i < 8; i++)
            CHECK(x_of_file == 5);
    }
}

CASE("large structures")
{
    struct {
        int a[1000];
    } big;
    for (int i = 0; i < 1000; i++)
        big.a[i] = i;
#pragma omp parallel firstprivate(big) num_threads(4)
    {
        long sum = 0;
        for (int i = 0; i < 1000; i++)
            sum += big.a[i];
        CHECK(sum == 499500);
        big.a[5] = 0;
    }
    CHECK(big.a[5] == 5);
}

CASE("pointers: the pointer is copied, not what it points to")
{
    int target = 1, *p = &target;
#pragma omp parallel firstprivate(p) num_threads(4)
    {
        CHECK(p == &target);
        ADD(*p, 1);
        p = NULL;
    }
    CHECK(p == &target && target == 5);
}

CASE("on sections and single")
{
    int x = 3, y = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp sections firstprivate(x)
        {
#pragma omp section
            ADD(y, x >= 3);
#pragma omp section
            ADD(y, x >= 3);
        }
#pragma omp single firstprivate(x)
        {
            CHECK(x == 3);
            x = 9;
        }
    }
    CHECK(x == 3 && y == 2);
}

CASE("private on a loop, with the region's shared variable untouched")
{
    int x = 123;
#pragma omp parallel for private(x)
    for (int i = 0; i < 100; i++) {
        x = i;
        check_disturb(i);
        CHECK(x == i);
    }
    CHECK(x == 123);
}

CASE("tasks take the value at their creation")
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
            int j = i * i;
#pragma omp task firstprivate(j) shared(sum)
            ADD(sum, j - i * i + 1); /* i is implicitly firstprivate */
        }
    }
    CHECK(sum == 100);
}

CASE("an over-aligned variable stays aligned")
{
    struct {
        _Alignas(64) char bytes[128];
    } s;
    memset(&s, 3, sizeof s);
#pragma omp parallel firstprivate(s) num_threads(4)
    {
        CHECK((uintptr_t)&s % 64 == 0);
        CHECK(s.bytes[127] == 3);
    }
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(s)
            {
                CHECK((uintptr_t)&s % 64 == 0);
                CHECK(s.bytes[0] == 3 && s.bytes[127] == 3);
            }
        }
    }
}

CASE("default(firstprivate) and default(private) where known")
{
#if GCC_AT_LEAST(12) || CLANG_AT_LEAST(16)
    int x = 4;
#pragma omp parallel default(firstprivate) num_threads(3) shared(check_failures, check_current)
    {
        CHECK(x == 4);
        x = 5;
    }
    CHECK(x == 4);
#endif
    CHECK(1);
}
