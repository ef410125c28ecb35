/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock of one thread: a critical section inside itself, through a call. */
#include "verdict.h"

static int errors;

static void warn(void)
{
    VERDICT_STAYS("A");
#pragma omp critical(screen)
    {
        errors++;
    }
}

int main(void)
{
    VERDICT(2, 0, "deadlock", "A",
            "Deadlock: {A} waits for critical 'screen' at {A.at}, which it already holds. 1 more thread "
            "also waits forever.");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp critical(screen)
            {
                warn();
            }
        }
        VERDICT_STAYS_SOMEWHERE("B");
    }
}
