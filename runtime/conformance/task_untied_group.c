/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Taskgroups and nested tasks in untied tasks (OpenMP 5.2, 12.1, 15.4).
 */
#include "check.h"

CASE("taskgroup in an untied task")
{
    int total = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task untied shared(total)
            {
                int done = 0;
#pragma omp taskgroup
                {
#pragma omp task untied shared(done)
                    {
#pragma omp task shared(done)
                        ADD(done, 1);
                    }
#pragma omp task shared(done)
                    ADD(done, 10);
                }
                CHECK(LOAD(done) == 11);
                ADD(total, 1);
            }
        }
    }
    CHECK(total == 30);
}

#ifndef __clang__ /* forgets the loop variable when the task goes on after a scheduling point in the group */
CASE("a loop in a taskgroup in an untied task")
{
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task untied
            {
                int done = 0;
#pragma omp taskgroup
                {
                    for (int j = 0; j < 5; j++) {
#pragma omp task untied shared(done)
                        {
#pragma omp task shared(done)
                            ADD(done, 1);
                        }
                    }
                }
                CHECK(LOAD(done) == 5);
            }
        }
    }
}
#endif

CASE("a group round one untied task that waits inside")
{
    int total = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
                for (int i = 0; i < 20; i++) {
#pragma omp task untied shared(total)
                    {
                        int mine = 0;
#pragma omp task shared(mine)
                        ADD(mine, 1);
#pragma omp taskwait
                        ADD(total, mine);
                    }
                }
            }
            CHECK(LOAD(total) == 20);
        }
    }
}
