/* SPDX-License-Identifier: Apache-2.0 */
/* A task executes an undeferred one on top of itself: the outer is suspended, the inner runs. */
#include "truth.h"

int main(void)
{
    truth_start("task_undeferred", 3, 0, 1);
    truth_tasks(2, 1, 0, 0, 1, 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            {
#pragma omp task if (0)
                {
                    truth_task_works();
                    busy_here();
                }
            }
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
