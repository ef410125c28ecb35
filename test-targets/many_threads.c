/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many threads (256, or the first argument): thread 0 holds a lock and works, odd ones wait for the lock, the
 * other even ones wait at a barrier.
 */
#include "truth.h"

#include <stdlib.h>

static omp_lock_t ledger;
static int owner;

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 256;
    truth_start("many_threads", threads, 0, 0);
    omp_init_lock(&ledger);
#pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            omp_set_lock(&ledger);
            truth_set(&owner, truth_tid());
            truth_works();
            busy_here();
        }
        if (me % 2) {
            truth_await(&owner, 1);
            truth_waits("wait_lock", "lock", &ledger, truth_get(&owner), "ledger", __LINE__ + 1);
            omp_set_lock(&ledger);
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
