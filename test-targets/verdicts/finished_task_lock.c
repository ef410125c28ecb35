/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: a task ended without giving its lock back, and the thread that ran it waits for the one that
 * needs it. */
#include "verdict.h"

static omp_lock_t log_lock;
static int taken;

static void forget(void)
{
    omp_set_lock(&log_lock); /* and returns early */
}

int main(void)
{
    VERDICT(2, 0, "deadlock", "A B",
            "Deadlock: {A} waits for lock log_lock at {A.at}; {B} holds lock log_lock and waits at the "
            "barrier at {B.at} for {A}.");
    omp_init_lock(&log_lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            truth_await(&taken, 1);
            VERDICT_STAYS("A");
            omp_set_lock(&log_lock);
        } else {
#pragma omp task
            forget();
#pragma omp taskwait
            truth_set(&taken, 1);
        }
        VERDICT_STAYS("B");
#pragma omp barrier
    }
}
