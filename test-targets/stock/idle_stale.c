/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that are idle after a region of eight, while four of five wait for a lock. */
#include "truth.h"

static omp_lock_t gate;
static int owner;

int main(void)
{
    truth_start("idle_stale", 5, 3, 0);
    omp_init_lock(&gate);
#pragma omp parallel num_threads(8)
    truth_meet();
#pragma omp parallel num_threads(5)
    {
        if (omp_get_thread_num() == 4) {
            omp_set_lock(&gate);
            truth_set(&owner, truth_tid());
            truth_works();
            busy_here();
        }
        truth_await(&owner, 1);
        truth_waits("wait_lock", "lock", &gate, truth_get(&owner), "gate", 0);
        omp_set_lock(&gate);
    }
}
