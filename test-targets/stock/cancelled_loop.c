/* SPDX-License-Identifier: Apache-2.0 */
/* One thread has cancelled its region and waits at the region's end; the others are in user code. */
#include "truth.h"

static int done;

int main(void)
{
    truth_start("cancelled_loop", 3, 0, 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            truth_barrier("wait_barrier_implicit_parallel", 0);
            truth_set(&done, 1);
#pragma omp cancel parallel
        }
        truth_await(&done, 1);
        truth_works();
        busy_here();
    }
}
