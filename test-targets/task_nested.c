/* SPDX-License-Identifier: Apache-2.0 */
/* A task waits in taskwait for its own child, which another thread executes. */
#include "truth.h"

static int begun;

int main(void)
{
    truth_start("task_nested", 4, 0, 2);
    /* The waiting one is its thread's current task: running, in a thread that waits. */
    truth_tasks(2, 2, 0, 0, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            {
#pragma omp task
                {
                    truth_set(&begun, 1);
                    truth_task_works();
                    busy_here();
                }
                truth_await(&begun, 1);
                truth_task_waits("wait_taskwait", "taskwait", 0, 0, 0, __LINE__ + 1);
#pragma omp taskwait
            }
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
