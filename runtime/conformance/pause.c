/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * omp_pause_resource and omp_pause_resource_all (OpenMP 5.2, 18.6).
 */
#include "check.h"

static int kept = 5;
#pragma omp threadprivate(kept)

static int team(void)
{
    int count = 0;
#pragma omp parallel num_threads(4) shared(count)
    ADD(count, 1);
    return count;
}

CASE("soft: regions after it are whole")
{
    CHECK(team() == 4);
    CHECK(omp_pause_resource_all(omp_pause_soft) == 0);
    CHECK(team() == 4);
    CHECK(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0);
    CHECK(team() == 4);
}

CASE("soft keeps the initial thread's threadprivate values")
{
    kept = 17;
    CHECK(omp_pause_resource_all(omp_pause_soft) == 0);
    CHECK(kept == 17);
}

CASE("hard: regions after it are whole")
{
    for (int i = 0; i < 5; i++) {
        CHECK(team() == 4);
        CHECK(omp_pause_resource_all(omp_pause_hard) == 0);
    }
    CHECK(team() == 4);
    CHECK(omp_pause_resource(omp_pause_hard, omp_get_initial_device()) == 0);
    CHECK(team() == 4);
}

CASE("tasks, nested teams and locks after a pause")
{
    omp_set_max_active_levels(2);
    int tasks = 0, inner = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_pause_resource_all(omp_pause_soft);
#pragma omp parallel num_threads(3) shared(tasks, inner)
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
            {
                omp_set_lock(&lock);
                tasks++;
                omp_unset_lock(&lock);
            }
        }
#pragma omp parallel num_threads(2) shared(inner)
        ADD(inner, 1);
    }
    CHECK(tasks == 20 && inner == 6);
    omp_destroy_lock(&lock);
    omp_set_max_active_levels(1);
}
