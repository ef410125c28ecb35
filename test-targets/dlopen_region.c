/* SPDX-License-Identifier: Apache-2.0 */
/* The library of the dlopen target: a region of 4, thread 3 missing at a barrier. */
#include "truth.h"

void run_region(void);

void run_region(void)
{
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 3) {
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
