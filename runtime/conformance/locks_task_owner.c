/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Locks are owned by task regions, not by threads (OpenMP 5.2, 18.9).
 */
#include "check.h"

CASE("an undeferred task does not own its thread's nestable lock")
{
    omp_nest_lock_t nest;
    omp_init_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    int got = -1;
#pragma omp task if (0) shared(got, nest)
    {
        got = omp_test_nest_lock(&nest);
        if (got)
            omp_unset_nest_lock(&nest);
    }
    CHECK(got == 0);
    omp_unset_nest_lock(&nest);
    omp_destroy_nest_lock(&nest);
}

CASE("nor do the tasks that its thread executes while it waits")
{
    int wrong = 0;
    omp_nest_lock_t nest;
    omp_init_nest_lock(&nest);
#pragma omp parallel shared(wrong, nest)
    {
#pragma omp single
        {
            omp_set_nest_lock(&nest);
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(wrong, nest)
                {
                    if (omp_test_nest_lock(&nest)) {
                        ADD(wrong, 1);
                        omp_unset_nest_lock(&nest);
                    }
                }
            }
#pragma omp taskwait
            omp_unset_nest_lock(&nest);
        }
    }
    CHECK(wrong == 0);
    omp_destroy_nest_lock(&nest);
}
