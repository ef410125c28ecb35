/* SPDX-License-Identifier: Apache-2.0 */
/* One thread is in a single construct with copyprivate; the others wait for its value. */
#include "truth.h"

static int inside;

int main(void)
{
    truth_start("copyprivate", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
        int value = 0;
        if (omp_get_thread_num() != 2) {
            truth_await(&inside, 1);
            truth_barrier("wait_barrier_implicit_workshare", 0);
        }
#pragma omp single copyprivate(value)
        {
            truth_set(&inside, 1);
            value = 1;
            truth_works();
            busy_here();
        }
        truth_set(&inside, value + 1);
    }
}
