/* SPDX-License-Identifier: Apache-2.0 */
/* A task ends the process with SIGSEGV once all other threads are in place. */
#include "truth.h"

static volatile unsigned long nowhere;

int main(void)
{
    truth_will_crash("SIGSEGV");
    truth_start("crash_segv", 4, 0, 1);
    truth_tasks(1, 1, 0, 0, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            {
                truth_task_works();
                truth_printed();
                *(volatile int *)nowhere = 1; /* NULL */
            }
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
