/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 0 waits at the end of a taskgroup for a grandchild, whose parent has ended. */
#include "truth.h"

static int begun;

int main(void)
{
    truth_start("taskgroup", 4, 0, 1);
    /* The parent is over; whether its descriptor still stands as "completing" is the runtime's business. */
    truth_tasks(-1, 1, 0, 0, 0, -1);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
            {
#pragma omp task
                {
#pragma omp task
                    {
                        truth_set(&begun, 1);
                        truth_task_works();
                        busy_here();
                    }
                }
                truth_await(&begun, 1);
                truth_waits("wait_taskgroup", "taskgroup", 0, 0, 0, 0);
            }
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
