/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * cancel for in loops that the runtime hands out in chunks (OpenMP 5.2, 16.1); OMP_CANCELLATION is true.
 */
#include "check.h"

CASE("dynamic schedule: iterations that were not begun are dropped")
{
    int begun = 0;
#pragma omp parallel shared(begun) num_threads(2)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 100000; i++) {
            ADD(begun, 1);
            if (i >= 50) {
#pragma omp cancel for
            }
            sched_yield();
#pragma omp cancellation point for
        }
    }
    CHECK(begun >= 1 && begun < 100000);
}

CASE("the cancelling thread gets no further chunk: dynamic, guided, runtime")
{
    int a = 0, b = 0, c = 0;
    omp_set_schedule(omp_sched_dynamic, 2);
#pragma omp parallel num_threads(1)
    {
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < 1000; i++) {
            a++;
            if (i == 9) {
#pragma omp cancel for
            }
        }
#pragma omp for schedule(guided, 4)
        for (int i = 0; i < 1000; i++) {
            b++;
            if (i == 9) {
#pragma omp cancel for
            }
        }
#pragma omp for schedule(runtime)
        for (int i = 0; i < 1000; i++) {
            c++;
            if (i == 9) {
#pragma omp cancel for
            }
        }
    }
    CHECK(a == 10 && b == 10 && c == 10);
}

CASE("loops after a cancelled one are whole")
{
    int count = 0;
#pragma omp parallel shared(count)
    for (int round = 0; round < 20; round++) {
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 50; i++) {
            if (i % 5 == 2) {
#pragma omp cancel for
            }
        }
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 50; i++) {
#pragma omp cancellation point for
            ADD(count, 1);
        }
    }
    CHECK(count == 1000);
}
