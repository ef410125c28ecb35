/* SPDX-License-Identifier: Apache-2.0 */
/* Suspected: a thread kept its lock when its region ended. It is idle; only a new region could set it to
 * work. */
#include "verdict.h"

static omp_lock_t scratch;

int main(void)
{
    verdict_start(__FILE__, 1, 1, 0, "suspected", "",
                  "Suspected deadlock: {A} waits for lock scratch at {A.at}, held by {B}, which is idle, "
                  "and no remaining thread can start a region. This is not proved: a thread that is not an "
                  "OpenMP thread may start a region.");
    omp_init_lock(&scratch);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            verdict_thread("B", 0);
            truth_meet();
            omp_set_lock(&scratch);
        }
    }
    VERDICT_STAYS("A");
    omp_set_lock(&scratch);
}
