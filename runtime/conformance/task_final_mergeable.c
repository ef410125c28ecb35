/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The final and mergeable clauses and included tasks (OpenMP 5.2, 12.3, 12.5).
 */
#include "check.h"

CASE("omp_in_final in a final task and in its children")
{
#pragma omp parallel
    {
        CHECK(omp_in_final() == 0);
#pragma omp single
        {
#pragma omp task final(1)
            {
                CHECK(omp_in_final() != 0);
#pragma omp task
                {
                    CHECK(omp_in_final() != 0);
#pragma omp task
                    CHECK(omp_in_final() != 0);
                }
            }
#pragma omp task
            CHECK(omp_in_final() == 0);
        }
        CHECK(omp_in_final() == 0);
    }
}

CASE("children of a final task are executed at once, by its thread")
{
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task final(1)
            {
                int done = 0, me = omp_get_thread_num();
                for (int j = 0; j < 5; j++) {
#pragma omp task shared(done) firstprivate(j, me)
                    {
                        CHECK(done == j && omp_get_thread_num() == me);
                        done++;
                    }
                    CHECK(done == j + 1);
                }
            }
        }
    }
}

CASE("final(false) is an ordinary task")
{
    int no = 0, count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task final(no) shared(count)
            {
                CHECK(omp_in_final() == 0);
#pragma omp task shared(count)
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 20);
}

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) final(n < 8) mergeable
    a = fib(n - 1);
#pragma omp task shared(b) final(n < 8) mergeable
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

CASE("a recursion cut off by final")
{
    long result = 0;
#pragma omp parallel
    {
#pragma omp single
        result = fib(18);
    }
    CHECK(result == 2584);
}

CASE("mergeable: with shared data the result does not depend on merging")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task if (0) mergeable shared(x)
            x++;
#pragma omp task final(1) mergeable shared(x)
            {
#pragma omp task mergeable shared(x)
                x++;
            }
#pragma omp taskwait
            CHECK(x == 2);
        }
    }
}

CASE("a final task outside of a parallel region")
{
    int count = 0;
#pragma omp task final(1) shared(count)
    {
        CHECK(omp_in_final() != 0);
#pragma omp task shared(count)
        count++;
        CHECK(count == 1);
        count++;
    }
#pragma omp taskwait
    CHECK(count == 2);
    CHECK(omp_in_final() == 0);
}

CASE("taskloop with final")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop final(1) num_tasks(6) shared(count)
            for (int i = 0; i < 60; i++) {
                CHECK(omp_in_final() != 0);
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 60);
}

CASE("a final task with dependences")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task final(i & 1) depend(inout : x) shared(x) firstprivate(i)
            {
                CHECK(x == i);
                x++;
            }
        }
    }
    CHECK(x == 20);
}
