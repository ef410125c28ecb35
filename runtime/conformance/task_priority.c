/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The priority clause: a hint; it must not change what runs (OpenMP 5.2, 12.4). OMP_MAX_TASK_PRIORITY is 10.
 */
#include "check.h"

CASE("max-task-priority-var comes from the environment")
{
    CHECK(omp_get_max_task_priority() == 10);
#pragma omp parallel
    CHECK(omp_get_max_task_priority() == 10);
}

CASE("all tasks of all priorities run")
{
    int count[16] = {0};
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 320; i++) {
#pragma omp task priority(i % 16) shared(count) firstprivate(i)
            ADD(count[i % 16], 1); /* above the maximum counts as the maximum */
        }
    }
    for (int i = 0; i < 16; i++)
        CHECK(count[i] == 20);
}

CASE("dependences are stronger than priorities")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task priority(i % 11) depend(inout : x) shared(x) firstprivate(i)
            {
                CHECK(x == i);
                x++;
            }
        }
    }
    CHECK(x == 100);
}

CASE("taskloop with priority")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop priority(5) num_tasks(10) shared(count)
            for (int i = 0; i < 100; i++)
                ADD(count, 1);
        }
    }
    CHECK(count == 100);
}

CASE("undeferred, final and untied tasks with priority")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task if (0) priority(3) shared(count)
            ADD(count, 1);
#pragma omp task final(1) priority(4) shared(count)
            ADD(count, 1);
#pragma omp task untied priority(9) shared(count)
            ADD(count, 1);
        }
    }
    CHECK(count == 30);
}
