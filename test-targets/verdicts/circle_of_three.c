/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: three threads in a circle through two locks and a critical section. */
#include "verdict.h"

static omp_lock_t input, output;
static int holds[3];

static void meet(int me)
{
    truth_set(&holds[me], 1);
    for (int i = 0; i < 3; i++)
        truth_await(&holds[i], 1);
}

int main(void)
{
    VERDICT(3, 0, "deadlock", "A B C",
            "Deadlock: {A} holds lock input and waits for critical 'stats' at {A.at}; {B} holds critical "
            "'stats' and waits for lock output at {B.at}; {C} holds lock output and waits for lock input "
            "at {C.at}.");
    omp_init_lock(&input);
    omp_init_lock(&output);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            omp_set_lock(&input);
            meet(me);
            VERDICT_STAYS("A");
#pragma omp critical(stats)
            {
                omp_unset_lock(&input);
            }
        } else if (me == 1) {
#pragma omp critical(stats)
            {
                meet(me);
                VERDICT_STAYS("B");
                omp_set_lock(&output);
            }
        } else {
            omp_set_lock(&output);
            meet(me);
            VERDICT_STAYS("C");
            omp_set_lock(&input);
        }
    }
}
