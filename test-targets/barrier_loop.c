/* SPDX-License-Identifier: Apache-2.0 */
/* The implicit barrier at the end of a loop, at which thread 3 is missing. */
#include "truth.h"

int main(void)
{
    truth_start("barrier_loop", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < 4; i++) {
            if (i == 3) {
                truth_works();
                busy_here();
            }
            truth_barrier(TRUTH_LAST_WORKSHARE, 0);
        }
    }
}
