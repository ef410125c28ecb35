/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * cancel parallel and cancellation points (OpenMP 5.2, 16.1 and 16.2); OMP_CANCELLATION is true.
 */
#include "check.h"

CASE("cancellation is on")
{
    CHECK(omp_get_cancellation() != 0);
}

CASE("the cancelling thread leaves the region")
{
    int after = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp cancel parallel
        after = 1;
    }
    CHECK(after == 0);
}

CASE("threads leave at their cancellation points")
{
    int reached = 0, ready = 0;
#pragma omp parallel shared(reached, ready)
    {
        int n = omp_get_num_threads();
        ADD(ready, 1);
        if (omp_get_thread_num() == 0) {
            WAIT_FOR(LOAD(ready) == n);
#pragma omp cancel parallel
            ADD(reached, 1);
        } else {
            for (int i = 0; i < 1000000; i++) {
                sched_yield();
#pragma omp cancellation point parallel
            }
            ADD(reached, 1);
        }
    }
    CHECK(reached == 0);
}

CASE("threads that wait in a barrier are let go")
{
    int after = 0;
#pragma omp parallel shared(after)
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            for (int i = 0; i < 50; i++)
                sched_yield();
#pragma omp cancel parallel
            ADD(after, 1);
        }
#pragma omp barrier
        ADD(after, 1);
    }
    CHECK(after == 0);
}

CASE("a false if clause does not cancel")
{
    int after = 0, no = 0;
#pragma omp parallel shared(after)
    {
#pragma omp cancel parallel if (no)
#pragma omp cancellation point parallel
        ADD(after, 1);
    }
    CHECK(after == omp_get_max_threads());
}

CASE("regions after a cancelled one are whole")
{
    for (int round = 0; round < 30; round++) {
        int count = 0;
#pragma omp parallel
        {
            if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp cancel parallel
            }
#pragma omp barrier
        }
#pragma omp parallel shared(count)
        {
            ADD(count, 1);
#pragma omp barrier
            CHECK(LOAD(count) == omp_get_num_threads());
#pragma omp barrier
#pragma omp cancellation point parallel
            ADD(count, 1);
        }
        CHECK(count == 2 * omp_get_max_threads());
    }
}

CASE("work-sharing and tasks after a cancelled region")
{
    int sum = 0, tasks = 0;
#pragma omp parallel
    {
#pragma omp cancel parallel
    }
#pragma omp parallel
    {
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < 100; i++)
            sum += i;
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
            ADD(tasks, 1);
        }
    }
    CHECK(sum == 4950 && tasks == 20);
}

CASE("an inner region is cancelled, the outer goes on")
{
    omp_set_max_active_levels(2);
    int inner = 0, outer = 0;
#pragma omp parallel num_threads(2) shared(inner, outer)
    {
#pragma omp parallel num_threads(2) shared(inner)
        {
#pragma omp cancel parallel
            ADD(inner, 1);
        }
#pragma omp cancellation point parallel
        ADD(outer, 1);
#pragma omp barrier
        CHECK(LOAD(outer) == 2);
    }
    CHECK(inner == 0 && outer == 2);
    omp_set_max_active_levels(1);
}
