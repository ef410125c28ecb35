/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that may be cancelled (OMP_CANCELLATION=true) have barriers of their own; here nobody cancels. */
#include "truth.h"

static int never;

int main(void)
{
    truth_start("cancelled", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
#pragma omp cancel parallel if (never)
        if (omp_get_thread_num() == 3) {
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
        truth_set(&never, 0);
    }
}
