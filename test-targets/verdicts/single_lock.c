/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: a single construct needs a lock that a thread, which waits for the end of the construct, still
 * has. */
#include "verdict.h"

static omp_lock_t params;
static int taken, inside;

int main(void)
{
    VERDICT(2, 0, "deadlock", "A B",
            "Deadlock: {A} waits for lock params at {A.at}; {B} holds lock params and waits at the "
            "barrier at the end of a worksharing construct at {B.at} for {A}.");
    omp_init_lock(&params);
#pragma omp parallel num_threads(2)
    {
        int value = 0;
        if (omp_get_thread_num() == 0) {
            truth_await(&taken, 1);
        } else {
            omp_set_lock(&params);
            truth_set(&taken, 1);
            truth_await(&inside, 1);
            VERDICT_STAYS_SOMEWHERE("B");
        }
#pragma omp single copyprivate(value)
        {
            truth_set(&inside, 1);
            VERDICT_STAYS("A");
            omp_set_lock(&params);
            value = 1;
        }
        truth_set(&taken, value);
    }
}
