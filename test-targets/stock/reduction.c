/* SPDX-License-Identifier: Apache-2.0 */
/* The barrier at the end of a loop with a reduction. */
#include "truth.h"

static int first, total;

int main(void)
{
    truth_start("reduction", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
#pragma omp for reduction(+ : total) schedule(static, 1)
        for (int i = 0; i < 4; i++) {
            if (i == 0) {
                truth_set(&first, 1);
                truth_works();
                busy_here();
            }
            truth_await(&first, 1);
            total += i;
            truth_barrier("wait_barrier_implicit_workshare", 0);
        }
        truth_set(&first, 2);
    }
}
