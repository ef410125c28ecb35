/* SPDX-License-Identifier: Apache-2.0 */
/* May go on: the lock is given back by a task that nobody has taken yet, for the other thread has a long
 * one. */
#include "verdict.h"

static omp_lock_t filled;

int main(void)
{
    VERDICT(2, 0, "suspected", "A",
            "Suspected deadlock: {A} waits for lock filled at {A.at}, which it already holds. This is not "
            "proved: only {observer} and {B} may still go on and could release it.");
    omp_init_lock(&filled);
    omp_set_lock(&filled);
    static int started;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            {
                truth_set(&started, 1);
                VERDICT_STAYS_SOMEWHERE("B");
                busy_here();
            }
            truth_await(&started, 1);
#pragma omp task
            omp_unset_lock(&filled);
            VERDICT_STAYS("A");
            omp_set_lock(&filled);
        }
    }
}
