/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Untied tasks that are undeferred, in a recursion (OpenMP 5.2, 12.5).
 */
#include "check.h"

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task untied if (n > 8) shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task untied if (n > 8) shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

CASE("a recursion whose lower levels are undeferred")
{
    long result = 0;
#pragma omp parallel
    {
#pragma omp single
        result = fib(14);
    }
    CHECK(result == 377);
}

CASE("undeferred untied tasks are complete at once")
{
#pragma omp parallel
    for (int i = 0; i < 50; i++) {
        int done = 0;
#pragma omp task untied if (0) shared(done)
        done = 1;
        CHECK(done == 1);
    }
}

CASE("undeferred untied tasks with scheduling points")
{
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
            int done = 0, children = 0;
#pragma omp task untied if (0) shared(done, children)
            {
#pragma omp task shared(children)
                ADD(children, 1);
#pragma omp taskyield
#pragma omp taskwait
                CHECK(LOAD(children) == 1);
                done = 1;
            }
            CHECK(done == 1);
        }
    }
}
