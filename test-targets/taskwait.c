/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 0 waits in taskwait for a child task, which a thread executes inside the barrier. */
#include "truth.h"

static int begun;

int main(void)
{
    truth_start("taskwait", 4, 0, 1);
    truth_tasks(1, 1, 0, 0, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            {
                truth_set(&begun, 1);
                truth_task_works();
                busy_here();
            }
            truth_await(&begun, 1);
            truth_waits("wait_taskwait", "taskwait", 0, 0, 0, __LINE__ + 1);
#pragma omp taskwait
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
