/* SPDX-License-Identifier: Apache-2.0 */
/* One wait of each kind with OMP_WAIT_POLICY=active: nobody sleeps. */
#include "truth.h"

static omp_lock_t simple;
static omp_nest_lock_t nest;
static int holder, in_critical;

int main(void)
{
    truth_start("spinning", 6, 0, 0);
    omp_init_lock(&simple);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(6)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            omp_set_lock(&simple);
            omp_set_nest_lock(&nest);
            truth_set(&holder, truth_tid());
            truth_works();
            busy_here();
        }
        truth_await(&holder, 1);
        if (me == 1) {
            truth_waits("wait_lock", "lock", &simple, truth_get(&holder), "simple", 0);
            omp_set_lock(&simple);
        } else if (me == 2) {
            truth_waits("wait_lock", "nest_lock", &nest, truth_get(&holder), "nest", 0);
            omp_set_nest_lock(&nest);
        } else if (me == 3 || me == 4) {
            if (me == 3) {
                truth_await(&in_critical, 1);
                truth_waits("wait_critical", "critical", 0, truth_get(&in_critical), 0, 0);
            }
#pragma omp critical(desk)
            {
                truth_set(&in_critical, truth_tid());
                truth_works();
                busy_here();
            }
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
        truth_set(&holder, 1);
    }
}
