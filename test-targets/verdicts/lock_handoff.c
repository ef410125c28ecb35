/* SPDX-License-Identifier: Apache-2.0 */
/* May go on: a lock is a semaphore, set before the region and given back by another thread. The specification
 * wants the owner to give it back, no runtime does. */
#include "verdict.h"

static omp_lock_t filled;

int main(void)
{
    VERDICT(2, 0, "suspected", "A",
            "Suspected deadlock: {A} waits for lock filled at {A.at}, which it already holds. This is not "
            "proved: only {observer} and {B} may still go on and could release it.");
    omp_init_lock(&filled);
    omp_set_lock(&filled);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            VERDICT_STAYS("A");
            omp_set_lock(&filled);
        } else {
            VERDICT_STAYS_SOMEWHERE("B");
            busy_here();
            omp_unset_lock(&filled);
        }
    }
}
