/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * cancel taskgroup (OpenMP 5.2, 16.1); OMP_CANCELLATION is true.
 */
#include "check.h"

CASE("the cancelling task ends there")
{
    int after = 0, before = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task shared(after, before)
                {
                    before = 1;
#pragma omp cancel taskgroup
                    after = 1;
                }
            }
            CHECK(before == 1 && after == 0);
        }
    }
}

CASE("tasks that have not begun may be dropped: the group ends all the same")
{
    int ran = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            int x = 0;
#pragma omp taskgroup
            {
#pragma omp task shared(x) depend(out : x)
                {
                    x = 1;
#pragma omp cancel taskgroup
                    x = 2;
                }
                for (int i = 0; i < 50; i++) {
#pragma omp task shared(ran, x) depend(inout : x)
                    ADD(ran, 1);
                }
            }
            CHECK(x == 1);
        }
    }
    CHECK(ran >= 0 && ran <= 50);
}

CASE("running tasks stop at a cancellation point")
{
    int late = 0, started = 0;
#pragma omp parallel num_threads(2) shared(late, started)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task shared(late, started)
                {
                    STORE(started, 1);
                    /* With the canceller in the same thread's queue this task may have run alone before. */
                    for (int i = 0; i < 2000; i++) {
                        sched_yield();
#pragma omp cancellation point taskgroup
                    }
                    ADD(late, 1);
                }
#pragma omp task
                {
#pragma omp cancel taskgroup
                }
            }
        }
    }
    CHECK(late <= 1);
}

CASE("a task that was cancelled before its cancellation point does not pass it")
{
    int passed = 0, cancelled = 0;
#pragma omp parallel num_threads(2) shared(passed, cancelled)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task shared(cancelled, passed)
                {
                    /* The child cancels the group that it shares with this task. */
#pragma omp task shared(cancelled) if (0)
                    {
                        STORE(cancelled, 1);
#pragma omp cancel taskgroup
                    }
#pragma omp cancellation point taskgroup
                    ADD(passed, 1);
                }
            }
        }
    }
    CHECK(cancelled == 1 && passed == 0);
}

CASE("tasks outside of the group are not cancelled")
{
    int outside = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(outside)
                ADD(outside, 1);
            }
#pragma omp taskgroup
            {
#pragma omp task
                {
#pragma omp cancel taskgroup
                }
            }
        }
    }
    CHECK(outside == 20);
}

CASE("the group after a cancelled one is whole")
{
#pragma omp parallel
    {
#pragma omp single
        for (int round = 0; round < 30; round++) {
            int count = 0;
#pragma omp taskgroup
            {
#pragma omp task
                {
#pragma omp cancel taskgroup
                }}
#pragma omp taskgroup
            {
                for (int i = 0; i < 10; i++) {
#pragma omp task shared(count)
                    {
#pragma omp cancellation point taskgroup
                        ADD(count, 1);
                    }
                }
            }
            CHECK(LOAD(count) == 10);
        }
    }
}

CASE("an inner group is cancelled, the outer is not")
{
    int inner = 0, outer = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task shared(inner, outer)
                {
#pragma omp taskgroup
                    {
#pragma omp task shared(inner)
                        {
#pragma omp cancel taskgroup
                            ADD(inner, 1);
                        }
                    }
                    ADD(outer, 1);
                }
                for (int i = 0; i < 10; i++) {
#pragma omp task shared(outer)
                    {
#pragma omp cancellation point taskgroup
                        ADD(outer, 1);
                    }
                }
            }
        }
    }
    CHECK(inner == 0 && outer == 11);
}

CASE("if(false) does not cancel")
{
    int count = 0, no = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
                for (int i = 0; i < 20; i++) {
#pragma omp task shared(count)
                    {
#pragma omp cancel taskgroup if (no)
                        ADD(count, 1);
                    }
                }
            }
        }
    }
    CHECK(count == 20);
}

CASE("taskloop: the tasks of a cancelled loop")
{
    int count = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp single
        {
#pragma omp taskloop num_tasks(100) shared(count)
            for (int i = 0; i < 100; i++) {
                ADD(count, 1);
#pragma omp cancel taskgroup
                ADD(count, 1000);
            }
        }
    }
    CHECK(count >= 1 && count < 1000);
}
