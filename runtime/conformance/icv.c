/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Internal control variables: initial values, scope and inheritance (OpenMP 5.2, 2).
 */
#define CHECK_KEEPS_DYNAMIC
#include "check.h"

CASE("outside of a parallel region")
{
    CHECK(omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
    CHECK(omp_get_level() == 0 && omp_get_active_level() == 0 && omp_in_parallel() == 0);
    CHECK(omp_get_team_size(0) == 1 && omp_get_ancestor_thread_num(0) == 0);
    CHECK(omp_in_final() == 0 || omp_in_final() == 1);
    CHECK(omp_get_num_procs() >= 1);
    CHECK(omp_get_thread_limit() >= 1);
    CHECK(omp_get_cancellation() == 0);
    CHECK(omp_get_max_task_priority() == 0);
}

CASE("OMP_NUM_THREADS gives nthreads-var")
{
    const char *n = getenv("OMP_NUM_THREADS");
    if (n)
        CHECK(omp_get_max_threads() == atoi(n));
    CHECK(omp_get_max_threads() >= 1);
}

CASE("omp_set_num_threads: for the regions after it, in the task's own data environment")
{
    int before = omp_get_max_threads();
    omp_set_dynamic(0);
    omp_set_num_threads(5);
    CHECK(omp_get_max_threads() == 5);
    int count = 0;
#pragma omp parallel shared(count)
    {
        ADD(count, 1);
        CHECK(omp_get_num_threads() == 5 && omp_get_max_threads() == 5);
        omp_set_num_threads(7 + omp_get_thread_num());
        CHECK(omp_get_max_threads() == 7 + omp_get_thread_num());
    }
    CHECK(count == 5 && omp_get_max_threads() == 5);
    omp_set_num_threads(before);
}

CASE("num_threads on the directive is stronger and does not change the variable")
{
    int before = omp_get_max_threads();
    omp_set_dynamic(0);
#pragma omp parallel num_threads(6)
    {
        CHECK(omp_get_num_threads() == 6);
        CHECK(omp_get_max_threads() == before);
    }
    CHECK(omp_get_max_threads() == before);
}

CASE("dyn-var")
{
    omp_set_dynamic(1);
    int on = omp_get_dynamic(); /* may be unsupported */
    int count = 0;
#pragma omp parallel num_threads(4) shared(count)
    {
        ADD(count, 1);
        CHECK((omp_get_dynamic() != 0) == (on != 0));
        omp_set_dynamic(0);
        CHECK(omp_get_dynamic() == 0);
    }
    CHECK(count >= 1 && count <= 4);
    CHECK((omp_get_dynamic() != 0) == (on != 0));
    omp_set_dynamic(0);
    CHECK(omp_get_dynamic() == 0);
}

CASE("max-active-levels-var")
{
    int supported = omp_get_supported_active_levels();
    CHECK(supported >= 1);
    int before = omp_get_max_active_levels();
    omp_set_max_active_levels(2);
    CHECK(omp_get_max_active_levels() == 2);
    omp_set_max_active_levels(INT_MAX);
    CHECK(omp_get_max_active_levels() == supported || omp_get_max_active_levels() == INT_MAX);
    omp_set_max_active_levels(before);
    CHECK(omp_get_max_active_levels() == before);
}

CASE("a task inherits from the task that makes it, and changes nothing for it")
{
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            omp_set_num_threads(9);
            for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
                {
                    CHECK(omp_get_max_threads() == 9);
                    omp_set_num_threads(20 + i);
                    CHECK(omp_get_max_threads() == 20 + i);
#pragma omp task firstprivate(i)
                    CHECK(omp_get_max_threads() == 20 + i);
#pragma omp taskwait
                }
            }
#pragma omp taskwait
            CHECK(omp_get_max_threads() == 9);
        }
    }
}

CASE("an undeferred task has its own data environment, too")
{
    int before = omp_get_max_threads();
#pragma omp task if (0)
    {
        CHECK(omp_get_max_threads() == before);
        omp_set_num_threads(before + 3);
        CHECK(omp_get_max_threads() == before + 3);
    }
    CHECK(omp_get_max_threads() == before);
}

CASE("nested regions inherit the value of their encountering task")
{
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
        omp_set_num_threads(2 + omp_get_thread_num());
        int mine = omp_get_thread_num(), count = 0;
#pragma omp parallel shared(count, mine)
        {
            ADD(count, 1);
            CHECK(omp_get_max_threads() == 2 + mine);
        }
        CHECK(count == 2 + mine);
    }
    omp_set_max_active_levels(1);
}

CASE("values persist from region to region only for the primary thread's encountering task")
{
    omp_set_dynamic(0);
    int before = omp_get_max_threads();
    for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(4)
        {
            CHECK(omp_get_max_threads() == before);
            omp_set_num_threads(2);
        }
        CHECK(omp_get_max_threads() == before);
    }
}

CASE("wtime goes on, wtick is positive")
{
    double a = omp_get_wtime(), b = omp_get_wtime();
    CHECK(b >= a);
    CHECK(omp_get_wtick() > 0 && omp_get_wtick() < 1);
}
