/* SPDX-License-Identifier: Apache-2.0 */
/* An explicit barrier at which thread 2 is missing. */
#include "truth.h"

int main(void)
{
    truth_start("barrier", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 2) {
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
