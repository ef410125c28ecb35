/* SPDX-License-Identifier: Apache-2.0 */
/* A task waits for a lock that the task of another thread holds, and one task is still queued. */
#include "truth.h"

static omp_lock_t drawer;
static int owner, waiting;

int main(void)
{
    truth_start("task_lock", 3, 0, 2);
    truth_tasks(3, 2, 1, 0, 0, 0);
    omp_init_lock(&drawer);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            {
                omp_set_lock(&drawer);
                truth_set(&owner, truth_tid());
                truth_task_works();
                busy_here();
            }
            truth_await(&owner, 1);
#pragma omp task
            {
                truth_set(&waiting, 1);
                truth_task_waits("wait_lock", "lock", &drawer, truth_get(&owner), "drawer", __LINE__ + 1);
                omp_set_lock(&drawer);
            }
            truth_await(&waiting, 1);
#pragma omp task
            truth_set(&waiting, 2);
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
