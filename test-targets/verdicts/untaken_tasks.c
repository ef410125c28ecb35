/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock with work left: tasks are ready, and all threads that could take them wait for the two that block
 * each other. */
#include "verdict.h"

static omp_lock_t pool;
static int holds[2], done;

int main(void)
{
    VERDICT(3, 0, "deadlock", "A B",
            "Deadlock: {A} holds lock pool and waits for critical 'log' at {A.at}; {B} holds critical "
            "'log' and waits for lock pool at {B.at}. 1 more thread also waits forever.");
    omp_init_lock(&pool);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            omp_set_lock(&pool);
            truth_set(&holds[0], 1);
            truth_await(&holds[1], 1);
            for (int i = 0; i < 12; i++) {
#pragma omp task
                truth_set(&done, 1);
            }
            truth_set(&holds[0], 2);
            VERDICT_STAYS("A");
#pragma omp critical(log)
            {
                omp_unset_lock(&pool);
            }
        } else if (me == 1) {
#pragma omp critical(log)
            {
                truth_set(&holds[1], 1);
                truth_await(&holds[0], 2);
                VERDICT_STAYS("B");
                omp_set_lock(&pool);
            }
        } else {
            truth_await(&holds[0], 2);
            VERDICT_STAYS("C");
            omp_set_lock(&pool);
        }
    }
}
