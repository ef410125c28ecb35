/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMP_THREAD_LIMIT=4 with dyn-var true: no more threads than that (OpenMP 5.2, 10.1.1).
 */
#define CHECK_KEEPS_DYNAMIC
#include "check.h"

CASE("the limit is told")
{
    CHECK(omp_get_thread_limit() == 4);
}

CASE("a region that asks for more gets at most the limit")
{
    int count = 0;
    omp_set_dynamic(1);
#pragma omp parallel num_threads(16) shared(count)
    {
        ADD(count, 1);
        CHECK(omp_get_num_threads() <= 4);
    }
    CHECK(count >= 1 && count <= 4);
}

CASE("nested regions share the limit")
{
    int inside = 0, most = 0;
    omp_set_dynamic(1);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) shared(inside, most)
    {
#pragma omp parallel num_threads(8) shared(inside, most)
        {
            int n = ADD(inside, 1);
#pragma omp critical
            most = n > most ? n : most;
            sched_yield();
            ADD(inside, -1);
        }
    }
    CHECK(most >= 1 && most <= 4);
    omp_set_max_active_levels(1);
}

CASE("a region within the limit is given in full when dyn-var is false")
{
    int count = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(4) shared(count)
    ADD(count, 1);
    CHECK(count == 4);
#pragma omp parallel num_threads(3) shared(count)
    ADD(count, 1);
    CHECK(count == 7);
}
