/* SPDX-License-Identifier: Apache-2.0 */
/* A second barrier, after one that all have passed: arrivals must not be mixed up with the first. */
#include "truth.h"

int main(void)
{
    truth_start("barrier_second", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
#pragma omp barrier
        if (omp_get_thread_num() != 1) {
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
