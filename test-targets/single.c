/* SPDX-License-Identifier: Apache-2.0 */
/* A single construct with its executor inside; the others wait at the barrier that ends it. */
#include "truth.h"

static int inside;

int main(void)
{
    truth_start("single", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
        /* Thread 1 enters first, so it is the executor. */
        if (omp_get_thread_num() != 1) {
            truth_await(&inside, 1);
            truth_barrier(TRUTH_LAST_WORKSHARE, 0);
        }
#pragma omp single
        {
            truth_set(&inside, 1);
            truth_works();
            busy_here();
        }
    }
}
