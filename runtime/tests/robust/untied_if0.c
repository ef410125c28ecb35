/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Untied tasks with if(0) in a recursion, mixed with tied and deferred ones, waits and yields: libomp 14 and
 * 19 end with a failed assertion here.
 */
#include "robust.h"
#include "work.h"

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task untied if (0) shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task untied if (n % 2) shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static int mixed(int n)
{
    int a = 0, b = 0, c = 0;
    if (n < 2)
        return 1;
#pragma omp task untied if (0) shared(a) firstprivate(n)
    {
#pragma omp taskyield
        a = mixed(n - 1);
#pragma omp taskwait
    }
#pragma omp task shared(b) firstprivate(n)
    {
        b = mixed(n - 2);
#pragma omp taskyield
    }
#pragma omp task if (0) shared(c) firstprivate(n)
    c = mixed(n - 2);
#pragma omp taskwait
    return a + b + c + 1;
}

static int mixed_serial(int n)
{
    return n < 2 ? 1 : mixed_serial(n - 1) + 2 * mixed_serial(n - 2) + 1;
}

int main(void)
{
    static const int sizes[] = {1, 2, 4, 16};
    for (int i = 0; i < 4; i++) {
        int f = 0, m = 0, g = 0;
#pragma omp parallel num_threads(sizes[i])
#pragma omp single
        {
            f = fib(14);
            m = mixed(9);
#pragma omp taskgroup
            {
#pragma omp task untied if (0) shared(g)
                {
#pragma omp task untied shared(g)
                    g = fib(6);
                }
            }
        }
        EXPECT(f == 377);
        EXPECT(m == mixed_serial(9));
        EXPECT(g == 8);
    }
    EXPECT(fib(10) == 55); /* outside of any region */
    EXPECT(work(3) == 0);
    return robust_end();
}
