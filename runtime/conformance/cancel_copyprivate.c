/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * cancel parallel while threads are in or before a single with copyprivate (OpenMP 5.2, 16.1 and 5.7.2);
 * OMP_CANCELLATION is true.
 */
#include "check.h"

CASE("the block of a single copyprivate runs once, though the region is cancelled meanwhile")
{
    int blocks = 0, cancelling = 0;
#pragma omp parallel num_threads(3) shared(blocks, cancelling)
    {
        int value = 0;
        if (omp_get_thread_num() == 2) {
            WAIT_FOR(LOAD(blocks) != 0);
            ADD(cancelling, 1);
#pragma omp cancel parallel
        }
#pragma omp single copyprivate(value)
        {
            ADD(blocks, 1);
            WAIT_FOR(LOAD(cancelling) != 0);
            for (int i = 0; i < 100; i++)
                sched_yield();
            value = 1;
        }
        (void)value;
    }
    CHECK(blocks == 1);
}

CASE("who comes to a single copyprivate of a cancelled region gets its values or none")
{
    int wrong = 0;
    for (int round = 0; round < 20; round++) {
        int come = 0;
#pragma omp parallel num_threads(3) shared(wrong, come)
        {
            int values[16];
            for (int i = 0; i < 16; i++)
                values[i] = -1;
            if (omp_get_thread_num() == 2) {
#pragma omp cancel parallel
            }
            if (omp_get_thread_num() == 0) { /* the other one has left the construct by then */
                WAIT_FOR(LOAD(come) != 0);
                for (int i = 0; i < 1000; i++)
                    sched_yield();
            }
#pragma omp single copyprivate(values)
            {
                ADD(come, 1);
                for (int i = 0; i < 16; i++)
                    values[i] = i;
            }
            for (int i = 0; i < 16; i++)
                if (values[i] != i && values[i] != -1)
                    ADD(wrong, 1);
        }
    }
    CHECK(wrong == 0);
}
