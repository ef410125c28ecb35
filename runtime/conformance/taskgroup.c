/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The taskgroup construct (OpenMP 5.2, 15.4).
 */
#include "check.h"

CASE("all tasks of the group are complete at its end")
{
#pragma omp parallel
    {
#pragma omp single
        for (int round = 0; round < 50; round++) {
            int count = 0;
#pragma omp taskgroup
            {
                for (int i = 0; i < 20; i++) {
#pragma omp task shared(count)
                    ADD(count, 1);
                }
            }
            CHECK(LOAD(count) == 20);
        }
    }
}

CASE("descendants too, not only children")
{
#pragma omp parallel
    {
#pragma omp single
        {
            int count = 0;
#pragma omp taskgroup
            {
                for (int i = 0; i < 5; i++) {
#pragma omp task shared(count)
                    {
                        for (int j = 0; j < 5; j++) {
#pragma omp task shared(count)
                            {
#pragma omp task shared(count)
                                {
                                    sched_yield();
                                    ADD(count, 1);
                                }
                            }
                        }
                    }
                }
            }
            CHECK(LOAD(count) == 25);
        }
    }
}

CASE("tasks made before the group are not waited for")
{
    int gate = 0, early = 0;
#pragma omp parallel num_threads(2) shared(gate, early)
    {
#pragma omp single
        {
#pragma omp task shared(gate, early)
            {
                for (int i = 0; i < 500 && !LOAD(gate); i++)
                    sched_yield();
                ADD(early, 1);
            }
            int count = 0;
#pragma omp taskgroup
            {
#pragma omp task shared(count)
                ADD(count, 1);
            }
            CHECK(LOAD(count) == 1);
            STORE(gate, 1);
        }
    }
    CHECK(early == 1);
}

CASE("groups nest")
{
#pragma omp parallel
    {
#pragma omp single
        {
            int outer = 0, inner = 0;
#pragma omp taskgroup
            {
#pragma omp task shared(outer)
                ADD(outer, 1);
#pragma omp taskgroup
                {
#pragma omp task shared(inner)
                    ADD(inner, 1);
#pragma omp taskgroup
                    {
#pragma omp task shared(inner)
                        ADD(inner, 10);
                    }
                    CHECK(LOAD(inner) >= 10);
                }
                CHECK(LOAD(inner) == 11);
#pragma omp task shared(outer)
                ADD(outer, 1);
            }
            CHECK(LOAD(outer) == 2);
        }
    }
}

CASE("groups in tasks")
{
    int total = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(total)
            {
                int count = 0;
#pragma omp taskgroup
                {
                    for (int j = 0; j < 5; j++) {
#pragma omp task shared(count)
                        ADD(count, 1);
                    }
                }
                CHECK(LOAD(count) == 5);
                ADD(total, count);
            }
        }
    }
    CHECK(total == 100);
}

CASE("each thread has its own group")
{
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
        int count = 0;
#pragma omp taskgroup
        {
            for (int i = 0; i < 5; i++) {
#pragma omp task shared(count)
                ADD(count, 1);
            }
        }
        CHECK(LOAD(count) == 5);
    }
}

CASE("an empty group, a group outside of a parallel region")
{
    int count = 0;
#pragma omp taskgroup
    {}
#pragma omp taskgroup
    {
#pragma omp task shared(count)
        ADD(count, 1);
    }
    CHECK(count == 1);
#pragma omp parallel
    {
#pragma omp taskgroup
        {
        }
    }
}

CASE("undeferred and dependent tasks in a group")
{
#pragma omp parallel
    {
#pragma omp single
        {
            int x = 0;
#pragma omp taskgroup
            {
                for (int i = 0; i < 50; i++) {
#pragma omp task shared(x) depend(inout : x) firstprivate(i)
                    {
                        CHECK(x == i);
                        x++;
                    }
                }
#pragma omp task if (0) shared(x) depend(in : x)
                CHECK(x == 50);
#pragma omp task shared(x) depend(inout : x)
                x = -1;
            }
            CHECK(x == -1);
        }
    }
}

CASE("a taskgroup round a taskloop and a parallel region in a task of it")
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            int count = 0;
#pragma omp taskgroup
            {
#pragma omp taskloop num_tasks(5) nogroup shared(count)
                for (int i = 0; i < 20; i++)
                    ADD(count, 1);
#pragma omp task shared(count)
                {
#pragma omp parallel num_threads(2)
                    ADD(count, 100);
                }
            }
            CHECK(LOAD(count) == 220);
        }
    }
    omp_set_max_active_levels(1);
}
