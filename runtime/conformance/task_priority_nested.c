/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks with priorities that make tasks with other priorities (OpenMP 5.2, 12.4).
 */
#include "check.h"

CASE("nested tasks with rising and falling priorities")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task priority(i) shared(count) firstprivate(i)
            {
                for (int j = 0; j < 10; j++) {
#pragma omp task priority(10 - i) shared(count)
                    ADD(count, 1);
                }
#pragma omp taskwait
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 110);
}

CASE("a parent waits for children of all priorities while others come")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task priority(i % 5) shared(count)
            {
                int mine = 0;
                for (int j = 0; j < 8; j++) {
#pragma omp task priority(j) shared(mine)
                    ADD(mine, 1);
                }
#pragma omp taskgroup
                {
#pragma omp task priority(10) shared(mine)
                    ADD(mine, 1);
                }
#pragma omp taskwait
                CHECK(LOAD(mine) == 9);
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 20);
}
