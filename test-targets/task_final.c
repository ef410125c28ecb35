/* SPDX-License-Identifier: Apache-2.0 */
/* A task inside a final task is included: both stand on one thread's stack. */
#include "truth.h"

int main(void)
{
    truth_start("task_final", 3, 0, 1);
    truth_tasks(2, 1, 0, 0, 1, 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task final(1)
            {
#pragma omp task
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
