/* SPDX-License-Identifier: Apache-2.0 */
/* Hangs, if nobody gives the lock back: a nest lock belongs to a task, and the child that runs on the same
 * thread is another one. */
#include "verdict.h"

static omp_nest_lock_t state;

int main(void)
{
    VERDICT(1, 0, "suspected", "A",
            "Suspected deadlock: {A} waits for nest lock state at {A.at}, which it already holds. This is "
            "not "
            "proved: only {observer}, which is not an OpenMP thread, may still go on and could release it.");
    omp_init_nest_lock(&state);
#pragma omp parallel num_threads(1)
    {
        omp_set_nest_lock(&state);
#pragma omp task if (0)
        {
            VERDICT_STAYS("A");
            omp_set_nest_lock(&state);
        }
    }
}
