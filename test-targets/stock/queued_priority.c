/* SPDX-License-Identifier: Apache-2.0 */
/* With OMP_MAX_TASK_PRIORITY: tasks of five priorities and of none are queued, and all threads are busy in
   user code, so nobody runs them. */
#include "truth.h"

enum { TASKS = 30 };
static int ran;

int main(void)
{
    truth_start("queued_priority", 3, 0, 0);
    truth_tasks(TASKS, 0, TASKS, 0, 0, 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(i % 6)
                truth_set(&ran, 1);
            }
        }
        truth_works();
        busy_here();
    }
}
