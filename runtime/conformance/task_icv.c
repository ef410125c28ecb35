/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What an explicit task inherits, when many of the same construct follow each other: the variables that its
 * parent has then (OpenMP 5.2 section 2.4), the region that it is in now, and whether it is final (12.5).
 */
#define CHECK_KEEPS_DYNAMIC
#include "check.h"

enum { AGAIN = 3 }; /* the first task of a kind may be made in another way than the ones after it */

CASE("a task made at once has its parent's variables of that moment")
{
    int before = omp_get_max_threads();
    for (int n = 1; n <= 6; n++) {
        omp_set_num_threads(n);
        omp_set_schedule(omp_sched_dynamic, n);
        for (int i = 0; i < AGAIN; i++) {
#pragma omp task if (0)
            {
                omp_sched_t kind;
                int chunk = 0;
                omp_get_schedule(&kind, &chunk);
                CHECK(omp_get_max_threads() == n && chunk == n);
            }
#pragma omp task
            CHECK(omp_get_max_threads() == n);
        }
#pragma omp taskwait
    }
    omp_set_num_threads(before);
}

CASE("what a task changes is seen by its own tasks, and by nobody after it")
{
    int before = omp_get_max_threads();
    for (int i = 0; i < 2 * AGAIN; i++) {
#pragma omp task if (0)
        {
            CHECK(omp_get_max_threads() == before);
            if (i % 2 != 0)
                omp_set_num_threads(before + i);
            for (int k = 0; k < AGAIN; k++) {
#pragma omp task if (0)
                {
                    CHECK(omp_get_max_threads() == (i % 2 != 0 ? before + i : before));
                    omp_set_num_threads(before + 50 + k);
                    CHECK(omp_get_max_threads() == before + 50 + k);
                }
            }
        }
        CHECK(omp_get_max_threads() == before);
    }
}

CASE("tasks of regions one after another, with other variables and other numbers of threads")
{
    omp_set_dynamic(0);
    for (int i = 0; i < 4 * AGAIN; i++) {
        int threads = 1 + i % 4;
#pragma omp parallel num_threads(threads)
        {
            int me = omp_get_thread_num(), mine = 20 + i + me;
            for (int k = 0; k < AGAIN; k++) {
#pragma omp task if (0) firstprivate(me)
                {
                    CHECK(omp_get_num_threads() == threads && omp_get_thread_num() == me);
                    CHECK(omp_get_level() == 1 && omp_get_team_size(1) == threads);
                }
            }
            omp_set_num_threads(mine);
            for (int k = 0; k < AGAIN; k++) {
#pragma omp task firstprivate(mine)
                CHECK(omp_get_num_threads() == threads && omp_get_max_threads() == mine);
#pragma omp task if (0) firstprivate(mine)
                CHECK(omp_get_max_threads() == mine);
            }
        }
    }
}

CASE("regions one after another, whose variables change only around them")
{
    int before = omp_get_max_threads();
    for (int i = 1; i <= 2 * AGAIN; i++) {
        omp_set_num_threads(i);
#pragma omp parallel num_threads(2)
        for (int k = 0; k < AGAIN; k++) {
#pragma omp task if (0)
            CHECK(omp_get_max_threads() == i);
#pragma omp task
            CHECK(omp_get_max_threads() == i);
        }
    }
    omp_set_num_threads(before);
}

CASE("a task below a final one is final, and the next task at its place is not")
{
    for (int i = 0; i < AGAIN; i++) {
#pragma omp task final(i % 2 == 0) if (0)
        {
            CHECK(!omp_in_final() == (i % 2 != 0));
            for (int k = 0; k < AGAIN; k++) {
#pragma omp task if (0)
                CHECK(!omp_in_final() == (i % 2 != 0));
            }
        }
#pragma omp task if (0)
        CHECK(!omp_in_final());
    }
}

CASE("tasks that are queued: the variables are those of their creation, whoever runs them")
{
#pragma omp parallel
#pragma omp single
    {
        int before = omp_get_max_threads();
        for (int i = 0; i < 40; i++) {
            int n = 1 + i / 4;
            omp_set_num_threads(n);
#pragma omp task firstprivate(n)
            {
                CHECK(omp_get_max_threads() == n);
                omp_set_num_threads(n + 100);
#pragma omp task if (0) firstprivate(n)
                CHECK(omp_get_max_threads() == n + 100);
            }
        }
        omp_set_num_threads(before);
    }
}
