/* SPDX-License-Identifier: Apache-2.0 */
/* A taskwait with a dependence on a task that runs. */
#include "truth.h"

static int begun, cell;

int main(void)
{
    truth_start("taskwait_depend", 3, 0, 1);
    truth_tasks(-1, 1, 0, -1, 0, 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp task depend(out : cell)
            {
                truth_set(&begun, 1);
                truth_task_works();
                busy_here();
            }
            truth_await(&begun, 1);
            truth_waits(0, "depend", 0, 0, 0, 0);
#pragma omp taskwait depend(in : cell)
        }
        truth_barrier("wait_barrier_implicit_parallel", 0);
    }
}
