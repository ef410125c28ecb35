/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks in tasks in a taskgroup: three run, one on top of the other, and each waits for its child. */
#include "truth.h"

static int depth, busy;

static void descend(int level)
{
    if (level == 3) {
        truth_task_works();
        busy_here();
    }
#pragma omp task
    descend(level + 1);
    truth_set(&depth, level + 1);
#pragma omp taskwait
    truth_set(&depth, level);
}

int main(void)
{
    truth_start("task_tree", 2, 0, 1);
    truth_tasks(3, 1, 0, 0, 2, 0);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            truth_set(&busy, 1);
            truth_works();
            busy_here();
        }
        truth_await(&busy, 1);
        truth_works();
#pragma omp taskgroup
        descend(0);
    }
}
