/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the environment variables of the manifest set (OpenMP 5.2, 21): lists of thread numbers, a schedule,
 * a limit, levels, cancellation, dynamic.
 */
#define CHECK_KEEPS_DYNAMIC
#include "check.h"

CASE("OMP_NUM_THREADS=3,2 by level")
{
    CHECK(omp_get_max_threads() == 3);
#pragma omp parallel
    {
        CHECK(omp_get_num_threads() == 3 && omp_get_max_threads() == 2);
#pragma omp parallel
        {
            CHECK(omp_get_num_threads() == 2 && omp_get_max_threads() == 2);
        }
    }
    CHECK(omp_get_max_threads() == 3);
}

CASE("omp_set_num_threads keeps the rest of the list out of this task's first element")
{
    omp_set_num_threads(2);
#pragma omp parallel
    CHECK(omp_get_num_threads() == 2);
    omp_set_num_threads(3);
}

CASE("OMP_SCHEDULE=guided,5")
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK(((unsigned)kind & ~(unsigned)omp_sched_monotonic) == omp_sched_guided && chunk == 5);
#pragma omp parallel
    {
        omp_sched_t inner;
        int size;
        omp_get_schedule(&inner, &size);
        CHECK(inner == kind && size == 5);
    }
    static int owner[500];
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 500; i++) {
        owner[i] = omp_get_thread_num();
        check_disturb(i);
    }
    int length = 0;
    for (int i = 0; i + 1 < 500; i++) {
        length++;
        if (owner[i + 1] != owner[i]) {
            CHECK(length >= 5);
            length = 0;
        }
    }
}

CASE("OMP_MAX_ACTIVE_LEVELS=2, OMP_DYNAMIC=false, OMP_CANCELLATION=true, OMP_MAX_TASK_PRIORITY=7")
{
    CHECK(omp_get_max_active_levels() == 2);
    CHECK(omp_get_dynamic() == 0);
    CHECK(omp_get_cancellation() != 0);
    CHECK(omp_get_max_task_priority() == 7);
}

CASE("OMP_THREAD_LIMIT=40")
{
    CHECK(omp_get_thread_limit() == 40);
}

CASE("OMP_DEFAULT_DEVICE=2")
{
    CHECK(omp_get_default_device() == 2);
}
