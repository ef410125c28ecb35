/* SPDX-License-Identifier: Apache-2.0 */
/* 20 tasks are queued, and all threads are busy in user code: nobody runs them. */
#include "truth.h"

enum { TASKS = 20 };
static int ran;

int main(void)
{
    truth_start("queued_tasks", 4, 0, 0);
    truth_tasks(TASKS, 0, TASKS, 0, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < TASKS; i++) {
#pragma omp task
                truth_set(&ran, 1);
            }
        }
        truth_works();
        busy_here();
    }
}
