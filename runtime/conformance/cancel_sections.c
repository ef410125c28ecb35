/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * cancel sections (OpenMP 5.2, 16.1); OMP_CANCELLATION is true.
 */
#include "check.h"

CASE("one thread: the sections after the cancelled one are dropped")
{
    int a = 0, b = 0, c = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp sections
        {
#pragma omp section
            a = 1;
#pragma omp section
            {
                b = 1;
#pragma omp cancel sections
                b = 2;
            }
#pragma omp section
            c = 1;
        }
    }
    CHECK(b == 1 && a + c <= 2); /* the order of sections is not prescribed */
}

CASE("the others leave at a cancellation point")
{
    int late = 0;
#pragma omp parallel num_threads(2) shared(late)
    {
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
                ADD(late, 1);
            }
#pragma omp section
            {
                for (int i = 0; i < 1000000; i++) {
                    sched_yield();
#pragma omp cancellation point sections
                }
                ADD(late, 1);
            }
        }
    }
    CHECK(late == 0);
}

CASE("if(false) does not cancel")
{
    int count = 0, no = 0;
#pragma omp parallel shared(count)
    {
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections if (no)
                ADD(count, 1);
            }
#pragma omp section
            {
#pragma omp cancellation point sections
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 2);
}

CASE("sections after cancelled ones are whole")
{
    int count = 0;
#pragma omp parallel shared(count)
    for (int round = 0; round < 20; round++) {
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
            }
#pragma omp section
            {
#pragma omp cancellation point sections
            }}
#pragma omp sections
        {
#pragma omp section
            ADD(count, 1);
#pragma omp section
            {
#pragma omp cancellation point sections
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 40);
}
