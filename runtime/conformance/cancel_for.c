/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * cancel for (OpenMP 5.2, 16.1); OMP_CANCELLATION is true.
 */
#include "check.h"

CASE("after cancel no thread begins more than it must")
{
    int begun = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp for
        for (int i = 0; i < 1000; i++) {
            begun++;
            if (i == 10) {
#pragma omp cancel for
            }
        }
    }
    CHECK(begun == 11);
}

CASE("the other threads stop at a cancellation point")
{
    int cancelled = 0, late = 0;
#pragma omp parallel shared(cancelled, late)
    {
        int n = omp_get_num_threads();
#pragma omp for schedule(static, 1)
        for (int i = 0; i < n; i++) {
            if (i == 0) {
                STORE(cancelled, 1);
#pragma omp cancel for
            } else {
                for (int j = 0; j < 1000000; j++) {
                    sched_yield();
#pragma omp cancellation point for
                }
                ADD(late, 1);
            }
        }
        ADD(cancelled, 1); /* after the loop the region goes on */
#pragma omp barrier
        CHECK(LOAD(cancelled) == n + 1);
    }
    CHECK(late == 0);
}

CASE("a search that ends with the first hit")
{
    int found = -1;
#pragma omp parallel shared(found)
    {
#pragma omp for schedule(dynamic, 10)
        for (int i = 0; i < 100000; i++) {
            if (i % 7919 == 100) {
                STORE(found, i);
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
        CHECK(LOAD(found) % 7919 == 100);
    }
}

CASE("if(false) does not cancel")
{
    int count = 0, no = 0;
#pragma omp parallel shared(count)
    {
#pragma omp for
        for (int i = 0; i < 100; i++) {
#pragma omp cancel for if (no)
#pragma omp cancellation point for
            ADD(count, 1);
        }
    }
    CHECK(count == 100);
}

CASE("loops after a cancelled loop are whole")
{
    int count = 0;
#pragma omp parallel shared(count)
    for (int round = 0; round < 20; round++) {
#pragma omp for
        for (int i = 0; i < 50; i++) {
#pragma omp cancel for
        }
#pragma omp for
        for (int i = 0; i < 50; i++) {
            ADD(count, 1);
#pragma omp cancellation point for
        }
    }
    CHECK(count == 1000);
}

CASE("every thread cancels: the region goes on")
{
    int reached = 0;
#pragma omp parallel shared(reached)
    {
        int local = 0;
#pragma omp for
        for (int i = 0; i < 100; i++) {
            local++;
#pragma omp cancel for
        }
        CHECK(local <= 100);
        ADD(reached, 1);
    }
    CHECK(reached == omp_get_max_threads());
}
