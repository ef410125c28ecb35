/* SPDX-License-Identifier: Apache-2.0 */
/* A task that runs inside a barrier opens a region of its own. */
#include "truth.h"

static int begun;

int main(void)
{
    truth_start("parallel_in_task", 4, 0, 0);
    truth_tasks(1, -1, 0, 0, -1, 0);
    omp_set_max_active_levels(4);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            {
#pragma omp parallel num_threads(2)
                {
                    truth_set(&begun, 1);
                    truth_works();
                    busy_here();
                }
            }
            truth_await(&begun, 1);
            truth_works();
            busy_here();
        }
        if (omp_get_thread_num() == 1) {
            truth_await(&begun, 1);
            truth_works();
            busy_here();
        }
    }
}
