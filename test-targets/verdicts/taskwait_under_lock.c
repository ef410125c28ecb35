/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: taskwait under a lock that the child, which another thread runs, needs. */
#include "verdict.h"

static omp_lock_t queue;
static int begun;

int main(void)
{
    VERDICT(2, 0, "deadlock", "A task B",
            "Deadlock: {A} holds lock queue and waits in taskwait at {A.at} for {task T}, which runs on "
            "{B}; {B} waits for lock queue at {B.at}.");
    omp_init_lock(&queue);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&queue);
            verdict_task("T", __LINE__ + 1);
#pragma omp task
            {
                truth_set(&begun, 1);
                VERDICT_STAYS("B");
                omp_set_lock(&queue);
            }
            truth_await(&begun, 1);
            VERDICT_STAYS("A");
#pragma omp taskwait
        }
    }
}
