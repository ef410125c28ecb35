/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The taskyield construct (OpenMP 5.2, 12.7): a scheduling point that need not schedule anything.
 */
#include "check.h"

CASE("in tasks, in the implicit task, in a loop, outside")
{
    int count = 0;
#pragma omp taskyield
#pragma omp parallel
    {
#pragma omp taskyield
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(count)
            {
#pragma omp taskyield
                ADD(count, 1);
            }
#pragma omp taskyield
        }
#pragma omp taskyield
    }
    CHECK(count == 100);
}

CASE("the task goes on with its own data")
{
    int wrong = 0;
#pragma omp parallel shared(wrong)
    {
#pragma omp single
        for (int i = 0; i < 60; i++) {
#pragma omp task firstprivate(i) shared(wrong)
            {
                int local = i * 3, me = omp_get_thread_num();
                for (int j = 0; j < 5; j++) {
#pragma omp taskyield
                    ADD(wrong, local != i * 3 + j || omp_get_thread_num() != me);
                    local++;
                }
            }
        }
    }
    CHECK(wrong == 0);
}

CASE("waiting with test and yield for a lock that another task holds")
{
    omp_lock_t lock;
    int count = 0;
    omp_init_lock(&lock);
#pragma omp parallel shared(count)
    {
#pragma omp single
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(count)
            {
                /* The holder has no scheduling point: it always goes on. */
                while (!omp_test_lock(&lock)) {
#pragma omp taskyield
                    sched_yield();
                }
                count++;
                omp_unset_lock(&lock);
            }
        }
    }
    CHECK(count == 50);
    omp_destroy_lock(&lock);
}

CASE("in undeferred and final tasks, with dependences")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task final(i & 1) depend(inout : x) shared(x) firstprivate(i)
            {
#pragma omp taskyield
                CHECK(x == i);
                x++;
#pragma omp taskyield
            }
#pragma omp task if (0)
            {
#pragma omp taskyield
            }
        }
    }
    CHECK(x == 20);
}
