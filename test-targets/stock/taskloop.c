/* SPDX-License-Identifier: Apache-2.0 */
/* A taskloop of three tasks: its thread runs one, two are queued, all other threads are busy. */
#include "truth.h"

static int busy;

int main(void)
{
    truth_start("taskloop", 3, 0, 1);
    truth_tasks(3, 1, 2, 0, 0, 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() != 1) {
            truth_works();
            truth_set(&busy, 1);
            busy_here();
        }
        truth_await(&busy, 1);
        truth_works();
#pragma omp taskloop num_tasks(3)
        for (int i = 0; i < 3; i++) {
            truth_task_works();
            busy_here();
        }
    }
}
