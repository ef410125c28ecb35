/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The threadprivate directive (OpenMP 5.2, 5.2).
 */
#include "check.h"

static int plain = 5;
static double vector[4] = {1, 2, 3, 4};
static struct {
    int n;
    char text[32];
} record = {3, "initial"};
static int untouched;
#pragma omp threadprivate(plain, vector, record, untouched)

CASE("each thread's copy starts with the initial value")
{
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0 || omp_get_num_threads() == 1) {
            CHECK(plain == 5 && vector[3] == 4 && record.n == 3 && strcmp(record.text, "initial") == 0);
            CHECK(untouched == 0);
        }
    }
}

CASE("copies are different objects")
{
    int *where[MAX_THREADS];
#pragma omp parallel
    {
        where[omp_get_thread_num()] = &plain;
#pragma omp barrier
        for (int i = 0; i < omp_get_num_threads(); i++)
            CHECK((where[i] == &plain) == (i == omp_get_thread_num()));
#pragma omp barrier
    }
    CHECK(where[0] == &plain); /* the primary thread's is the encountering thread's */
}

CASE("values persist from region to region")
{
    /* 5.2, 5.2: same number of threads, no nesting, dyn-var false. */
#pragma omp parallel
    {
        plain = 100 + omp_get_thread_num();
        vector[0] = omp_get_thread_num();
        record.n = -omp_get_thread_num();
    }
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
            CHECK(plain == 100 + omp_get_thread_num() + round);
            CHECK(vector[0] == omp_get_thread_num());
            CHECK(record.n == -omp_get_thread_num());
            plain++;
        }
    }
}

CASE("the initial thread's copy is that of the serial part")
{
    plain = 77;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            CHECK(plain == 77);
            plain = 78;
        }
    }
    CHECK(plain == 78);
}

CASE("a static variable of a function")
{
    static int calls;
#pragma omp threadprivate(calls)
    int total = 0;
#pragma omp parallel reduction(+ : total)
    {
        calls = 0;
        for (int i = 0; i <= omp_get_thread_num(); i++)
            calls++;
#pragma omp barrier
        total += calls;
    }
    int n = omp_get_max_threads();
    CHECK(total == n * (n + 1) / 2);
}

CASE("used in a called function and in work-sharing")
{
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        untouched = 0;
#pragma omp for
        for (int i = 0; i < 100; i++)
            untouched++;
        sum += untouched;
    }
    CHECK(sum == 100);
}

CASE("a region of one thread uses the encountering thread's copy")
{
    plain = 9;
#pragma omp parallel num_threads(1)
    {
        CHECK(plain == 9);
        plain = 10;
    }
    CHECK(plain == 10);
#pragma omp parallel if (0)
    plain++;
    CHECK(plain == 11);
}

CASE("in nested teams the inner primary thread has its thread's copy")
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        plain = 1000 + me;
#pragma omp parallel num_threads(2) shared(me)
        {
            if (omp_get_thread_num() == 0)
                CHECK(plain == 1000 + me);
            plain = -1;
        }
        CHECK(plain == -1);
    }
    omp_set_max_active_levels(1);
}

CASE("tasks see the copy of the thread that executes them")
{
#pragma omp parallel
    {
        record.n = omp_get_thread_num();
#pragma omp barrier
        for (int i = 0; i < 20; i++) {
#pragma omp task
            CHECK(record.n == omp_get_thread_num());
        }
#pragma omp taskwait
    }
}

CASE("a large threadprivate array")
{
    static int big[20000];
#pragma omp threadprivate(big)
#pragma omp parallel
    {
        for (int i = 0; i < 20000; i += 100)
            big[i] = omp_get_thread_num();
#pragma omp barrier
        for (int i = 0; i < 20000; i += 100)
            CHECK(big[i] == omp_get_thread_num());
    }
}
