/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: a taskgroup inside a critical section, and its task needs the same section. */
#include "verdict.h"

static int begun;

static void collect(void)
{
    VERDICT_STAYS("B");
#pragma omp critical(results)
    {
        truth_set(&begun, 2);
    }
}

int main(void)
{
    VERDICT(2, 0, "deadlock", "A task B",
            "Deadlock: {A} holds critical 'results' and waits at the end of a taskgroup at {A.at} for "
            "{task T}, which runs on {B}; {B} waits for critical 'results' at {B.at}.");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical(results)
            {
#pragma omp taskgroup
                {
                    verdict_task("T", __LINE__ + 1);
#pragma omp task
                    {
                        truth_set(&begun, 1);
                        collect();
                    }
                    truth_await(&begun, 1);
                    VERDICT_STAYS_SOMEWHERE("A");
                }
            }
        }
    }
}
