/* SPDX-License-Identifier: Apache-2.0 */
/* The implicit barrier at the end of a region, at which thread 1 is missing. */
#include "truth.h"

int main(void)
{
    truth_start("barrier_parallel", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 1) {
            truth_works();
            busy_here();
        }
        truth_barrier("wait_barrier_implicit_parallel", 0);
    }
}
