/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Untied tasks (OpenMP 5.2, 12.1): they may move between threads at scheduling points, and all must complete.
 */
#include "check.h"

CASE("every untied task runs once")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 500; i++) {
#pragma omp task untied shared(count)
            ADD(count, 1);
        }
    }
    CHECK(count == 500);
}

CASE("an untied producer")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task untied shared(count)
            for (int i = 0; i < 1000; i++) {
#pragma omp task shared(count)
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 1000);
}

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task untied shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task untied shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

CASE("a recursion of untied tasks")
{
    long result = 0;
#pragma omp parallel
    {
#pragma omp single
        result = fib(14);
    }
    CHECK(result == 377);
}

CASE("local variables survive scheduling points")
{
    int wrong = 0;
#pragma omp parallel shared(wrong)
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task untied firstprivate(i) shared(wrong)
            {
                int a = i, b[4] = {i, i + 1, i + 2, i + 3};
                double d = i * 0.5;
#pragma omp taskyield
                ADD(wrong, a != i || b[3] != i + 3);
                a++;
#pragma omp task shared(wrong)
                ADD(wrong, 0);
                ADD(wrong, a != i + 1 || d != i * 0.5);
#pragma omp taskwait
                ADD(wrong, a != i + 1 || b[0] != i || d != i * 0.5);
            }
        }
    }
    CHECK(wrong == 0);
}

CASE("taskwait in an untied task waits for its children")
{
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task untied
            {
                int done = 0;
                for (int j = 0; j < 5; j++) {
#pragma omp task shared(done)
                    ADD(done, 1);
                }
#pragma omp taskwait
                CHECK(LOAD(done) == 5);
            }
        }
    }
}

CASE("untied with dependences")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task untied depend(inout : x) shared(x) firstprivate(i)
            {
                CHECK(x == i);
#pragma omp taskyield
                x++;
            }
        }
    }
    CHECK(x == 100);
}

CASE("untied taskloop")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop untied num_tasks(10) shared(count)
            for (int i = 0; i < 100; i++)
                ADD(count, 1);
        }
    }
    CHECK(count == 100);
}

CASE("outside of a parallel region")
{
    int count = 0;
    for (int i = 0; i < 20; i++) {
#pragma omp task untied shared(count)
        ADD(count, 1);
    }
#pragma omp taskwait
    CHECK(count == 20);
}
