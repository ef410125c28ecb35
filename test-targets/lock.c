/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 0 holds a lock and works; the others wait for it. */
#include "truth.h"

static omp_lock_t ledger;
static int owner;

int main(void)
{
    truth_start("lock", 4, 0, 0);
    omp_init_lock(&ledger);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&ledger);
            truth_set(&owner, truth_tid());
            truth_works();
            busy_here();
        }
        truth_await(&owner, 1);
        truth_waits("wait_lock", "lock", &ledger, truth_get(&owner), "ledger", __LINE__ + 1);
        omp_set_lock(&ledger);
    }
}
