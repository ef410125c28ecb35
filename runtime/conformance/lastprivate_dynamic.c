/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * lastprivate with schedules that may hand a thread earlier iterations after the last (OpenMP 5.2, 5.4.5).
 */
#include "check.h"

CASE("dynamic, each chunk size")
{
    for (int chunk = 1; chunk < 9; chunk++)
        for (int n = 1; n < 70; n += 4) {
            int x = -1;
#pragma omp parallel for lastprivate(x) schedule(dynamic, chunk)
            for (int i = 0; i < n; i++) {
                x = i;
                check_disturb(i);
            }
            CHECK(x == n - 1);
        }
}

CASE("nonmonotonic dynamic and guided")
{
    for (int n = 1; n < 200; n += 9) {
        int x = -1, y = -1;
#pragma omp parallel for lastprivate(x) schedule(nonmonotonic : dynamic, 2)
        for (int i = 0; i < n; i++) {
            x = i;
            check_disturb(i);
        }
#pragma omp parallel for lastprivate(y) schedule(nonmonotonic : guided, 2)
        for (int i = 0; i < n; i++) {
            y = i;
            check_disturb(i);
        }
        CHECK(x == n - 1 && y == n - 1);
    }
}

CASE("the loop variable, downward, 64 bits")
{
    for (int round = 0; round < 20; round++) {
        long long j = 0;
#pragma omp parallel for lastprivate(j) schedule(dynamic, 3)
        for (j = 100; j > 3; j -= 4)
            check_disturb((int)j / 4);
        CHECK(j == 0);
    }
}

CASE("a collapsed nest")
{
    for (int round = 0; round < 20; round++) {
        int x = -1, i, j;
#pragma omp parallel for collapse(2) lastprivate(x, i, j) schedule(dynamic, 5)
        for (i = 0; i < 9; i++)
            for (j = 0; j < 7; j++) {
                x = i * 100 + j;
                check_disturb(j);
            }
        CHECK(x == 806 && i == 9 && j == 7);
    }
}

CASE("the thread that has the last iteration is made to do an earlier one after it")
{
    /* Others hold their first iteration until the last one is done: then more chunks than one are left. */
    int x = -1, last_done = 0;
#pragma omp parallel for lastprivate(x) schedule(dynamic, 1) shared(last_done)
    for (int i = 0; i < 100; i++) {
        x = i;
        if (i == 99)
            STORE(last_done, 1);
        for (int j = 0; j < 20 && !LOAD(last_done); j++)
            sched_yield();
    }
    CHECK(x == 99);
}

CASE("schedule(runtime) as dynamic and guided, and auto")
{
    static const omp_sched_t kinds[] = {omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    for (int k = 0; k < 3; k++)
        for (int n = 1; n < 90; n += 8) {
            int x = -1;
            omp_set_schedule(kinds[k], 2);
#pragma omp parallel for lastprivate(x) schedule(runtime)
            for (int i = 0; i < n; i++) {
                x = i;
                check_disturb(i);
            }
            CHECK(x == n - 1);
        }
}
