/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of two threads is in a task that it has begun while an outer one waited, which it has begun in its turn
 * while its implicit task waited. The other one had nothing to do with them, and is at the barrier.
 */
#include "truth.h"

static int begun;

static void inner(void)
{
    truth_task_works();
    truth_set(&begun, 1);
    busy_here();
}

static void middle(void)
{
#pragma omp task
    inner();
#pragma omp taskwait
}

static void outer(void)
{
#pragma omp task
    middle();
#pragma omp taskwait
}

int main(void)
{
    truth_start("tasks_below", 2, 0, 1);
    truth_tasks(3, 1, 0, 0, 2, 0);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            outer();
            truth_works(); /* until it is in a task */
#pragma omp taskwait
        }
        truth_await(&begun, 1);
        truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
    }
}
