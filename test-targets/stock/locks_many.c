/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread waits for a lock of its own: even ones for simple locks, odd ones for nest locks. */
#include "truth.h"

enum { THREADS = 9 };
static omp_lock_t simple[THREADS];
static omp_nest_lock_t nest[THREADS];
static int owner;

int main(void)
{
    truth_start("locks_many", THREADS, 0, 0);
    for (int i = 0; i < THREADS; i++) {
        omp_init_lock(&simple[i]);
        omp_init_nest_lock(&nest[i]);
    }
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            for (int i = 0; i < THREADS; i++) {
                omp_set_lock(&simple[i]);
                omp_set_nest_lock(&nest[i]);
            }
            truth_set(&owner, truth_tid());
            truth_works();
            busy_here();
        }
        truth_await(&owner, 1);
        if (me % 2) {
            truth_waits("wait_lock", "nest_lock", &nest[me], truth_get(&owner), "nest", 0);
            omp_set_nest_lock(&nest[me]);
        } else {
            truth_waits("wait_lock", "lock", &simple[me], truth_get(&owner), "simple", 0);
            omp_set_lock(&simple[me]);
        }
        truth_set(&owner, 1);
    }
}
