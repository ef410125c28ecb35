/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of one thread, by num_threads(1) and if(0), around a team and inside of two of its members, while
 * the other members are at the team's barrier.
 */
#include "truth.h"

static int owner;

static void holds(void)
{
#pragma omp parallel num_threads(1)
#pragma omp parallel if (0)
#pragma omp parallel num_threads(1)
    {
#pragma omp critical(only)
        {
            truth_set(&owner, truth_tid());
            truth_works();
            busy_here();
        }
    }
}

static void waits(void)
{
#pragma omp parallel if (0)
    {
        truth_await(&owner, 1);
        truth_waits("wait_critical", "critical", 0, truth_get(&owner), "only", 0);
#pragma omp critical(only)
        truth_works();
    }
}

int main(void)
{
    truth_start("serial_inside", 4, 0, 0);
    omp_set_max_active_levels(8);
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 2)
            holds();
        if (omp_get_thread_num() == 1)
            waits();
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
        truth_set(&owner, 0);
    }
}
