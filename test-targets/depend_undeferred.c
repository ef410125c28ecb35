/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 0 itself waits for a dependence, at a task with if(0); no OMPT state is meant for that. */
#include "truth.h"

static int begun, cell;

int main(void)
{
    truth_start("depend_undeferred", 3, 0, 1);
    /* Whether the undeferred task exists while its dependences hold it back is the runtime's business. */
    truth_tasks(-1, 1, 0, -1, 0, 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : cell)
            {
                truth_set(&begun, 1);
                truth_task_works();
                busy_here();
            }
            truth_await(&begun, 1);
            truth_waits(0, "depend", 0, 0, 0, TRUTH_CLANG_LINE(__LINE__ + 1));
#pragma omp task depend(in : cell) if (0)
            truth_set(&begun, 2);
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
