/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of all sorts in two nested teams, and a team of one below one of them. */
#include "truth.h"

static omp_nest_lock_t nest;
static int owner, in_critical;

static void first(int me)
{
    if (me == 0) {
        omp_set_nest_lock(&nest);
        truth_set(&owner, truth_tid());
        truth_works();
        busy_here();
    }
    truth_await(&owner, 1);
    if (me == 1) {
        truth_waits("wait_lock", "nest_lock", &nest, truth_get(&owner), "nest", 0);
        omp_set_nest_lock(&nest);
    }
}

static void second(int me)
{
    if (me == 0) {
#pragma omp parallel num_threads(1)
        {
            truth_works();
            busy_here();
        }
    }
    if (me == 1) {
        truth_await(&in_critical, 1);
        truth_waits("wait_critical", "critical", 0, truth_get(&in_critical), 0, 0);
    }
#pragma omp critical
    {
        truth_set(&in_critical, truth_tid());
        truth_works();
        busy_here();
    }
}

int main(void)
{
    truth_start("nested_waits", 6, 0, 0);
    omp_set_max_active_levels(4);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
        {
            if (outer == 0)
                first(omp_get_thread_num());
            else
                second(omp_get_thread_num());
            truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
            truth_set(&owner, 1);
        }
    }
}
