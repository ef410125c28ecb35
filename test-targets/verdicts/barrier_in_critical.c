/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: a barrier inside a critical section (no compiler sees it through the call). */
#include "verdict.h"

static int inside;

__attribute__((noinline)) static void synchronise(void)
{
    truth_set(&inside, 1);
    VERDICT_STAYS("B");
#pragma omp barrier
}

int main(void)
{
    VERDICT(2, 0, "deadlock", "A B",
            "Deadlock: {A} waits for critical 'step' at {A.at}; {B} holds critical 'step' and waits at "
            "the barrier at {B.at} for {A}.");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            truth_await(&inside, 1);
            VERDICT_STAYS("A");
#pragma omp critical(step)
            {
                synchronise();
            }
        } else {
#pragma omp critical(step)
            {
                synchronise();
            }
        }
    }
}
