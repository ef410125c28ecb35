/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * With cancel-var false the cancel constructs do nothing (OpenMP 5.2, 16.1); OMP_CANCELLATION is false.
 */
#include "check.h"

CASE("cancellation is off")
{
    CHECK(omp_get_cancellation() == 0);
}

CASE("parallel")
{
    int after = 0;
#pragma omp parallel shared(after)
    {
#pragma omp cancel parallel
        ADD(after, 1);
#pragma omp barrier
#pragma omp cancellation point parallel
        ADD(after, 1);
    }
    CHECK(after == 2 * omp_get_max_threads());
}

CASE("for and sections")
{
    int loop = 0, sections = 0;
#pragma omp parallel shared(loop, sections)
    {
#pragma omp for
        for (int i = 0; i < 50; i++) {
#pragma omp cancel for
            ADD(loop, 1);
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
                ADD(sections, 1);
            }
#pragma omp section
            ADD(sections, 1);
        }
    }
    CHECK(loop == 50 && sections == 2);
}

CASE("taskgroup")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
                for (int i = 0; i < 20; i++) {
#pragma omp task shared(count)
                    {
#pragma omp cancel taskgroup
                        ADD(count, 1);
                    }
                }
            }
        }
    }
    CHECK(count == 20);
}
