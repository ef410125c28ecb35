/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads at a barrier execute tasks; one of these has met a region, whose members are at its end and in
 * the program. The thread that made the tasks waits for them.
 */
#include "truth.h"

static int begun;

static void inner(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            truth_works();
            busy_here();
        }
        truth_barrier("wait_barrier_implicit_parallel", 0);
    }
}

static void task(void)
{
    if (__atomic_fetch_add(&begun, 1, __ATOMIC_ACQ_REL) == 0) {
        inner();
    } else {
        truth_task_works();
        busy_here();
    }
}

int main(void)
{
    truth_start("region_in_task", 4, 0, 2);
    truth_tasks(2, 1, 0, 0, 1, 0);
    omp_set_max_active_levels(4);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            task();
#pragma omp task
            task();
            truth_await(&begun, 2);
            truth_waits("wait_taskwait", "taskwait", 0, 0, 0, 0);
#pragma omp taskwait
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
        truth_set(&begun, 0);
    }
}
