/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Task reductions outside of any parallel region (OpenMP 5.2, 5.5.9); regions after them.
 */
#include "check.h"

CASE("a taskgroup")
{
    int sum = 3;
#pragma omp taskgroup task_reduction(+ : sum)
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
    }
    CHECK(sum == 48);
}

CASE("a taskloop")
{
    int sum = 2;
#pragma omp taskloop reduction(+ : sum) num_tasks(3)
    for (int i = 0; i < 10; i++)
        sum += i;
    CHECK(sum == 47);
}

CASE("parallel regions after it")
{
    for (int round = 0; round < 30; round++) {
        int sum = 0, count = 0;
#pragma omp taskgroup task_reduction(+ : sum)
        {
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        }
#pragma omp parallel
        {
            ADD(count, 1);
#pragma omp single
            {
#pragma omp task shared(count)
                ADD(count, 1000);
            }
        }
        CHECK(sum == 1 && count == 1000 + omp_get_max_threads());
    }
}
