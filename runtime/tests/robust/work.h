/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A little of everything, with a result that is known: what a process must still be able to do.
 */
#ifndef WORK_H
#define WORK_H

#include <omp.h>

static inline int work_fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) firstprivate(n)
    a = work_fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
    b = work_fib(n - 2);
#pragma omp taskwait
    return a + b;
}

/** A region with a loop, a reduction, a critical, a single, tasks and barriers; 0 if all of it was right. */
static inline int work(int threads)
{
    int wrong = 0, sum = 0, counted = 0, fib = 0, got = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
        for (int i = 1; i <= 100; i++)
            sum += i;
        wrong += sum != 5050;
#pragma omp critical
        counted++;
#pragma omp barrier
        wrong += counted != omp_get_num_threads();
#pragma omp single
        {
            fib = work_fib(7);
            got = omp_get_num_threads();
        }
        wrong += fib != 13;
    }
    return wrong + (counted != got);
}

#endif
