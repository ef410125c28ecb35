/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: a thread that has taken a nest lock twice waits in a critical section for one that waits for the
 * nest lock. */
#include "verdict.h"

static omp_nest_lock_t tree;
static int holds[2];

int main(void)
{
    VERDICT(2, 0, "deadlock", "A B",
            "Deadlock: {A} holds nest lock tree and waits for critical 'cache' at {A.at}; {B} holds "
            "critical 'cache' and waits for nest lock tree at {B.at}.");
    omp_init_nest_lock(&tree);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_nest_lock(&tree);
            omp_set_nest_lock(&tree);
            truth_set(&holds[0], 1);
            truth_await(&holds[1], 1);
            VERDICT_STAYS("A");
#pragma omp critical(cache)
            {
                omp_unset_nest_lock(&tree);
            }
        } else {
#pragma omp critical(cache)
            {
                truth_set(&holds[1], 1);
                truth_await(&holds[0], 1);
                VERDICT_STAYS("B");
                omp_set_nest_lock(&tree);
            }
        }
    }
}
