/* SPDX-License-Identifier: Apache-2.0 */
/* The barrier at the end of a dynamic loop in the middle of a region. */
#include "truth.h"

static int first, all;

int main(void)
{
    truth_start("loop_end", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
        int spoke = 0;
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 4; i++) {
            if (i == 0) {
                truth_set(&first, 1);
                truth_works();
                busy_here();
            }
            truth_await(&first, 1);
            if (!spoke++)
                truth_barrier("wait_barrier_implicit_workshare", 0);
            __atomic_fetch_add(&all, 1, __ATOMIC_ACQ_REL);
            truth_await(&all, 3); /* so that each of the three has one */
        }
        truth_set(&first, 2);
    }
}
