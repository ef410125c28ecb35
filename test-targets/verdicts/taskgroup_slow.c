/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: a taskgroup waits for a task that another thread runs, and that reads from a slow partner. */
#include "verdict.h"

#include <unistd.h>

static int begun;

static void receive(void)
{
    char byte;
    int from = verdict_silent_pipe();
    truth_set(&begun, 1);
    VERDICT_STAYS("A");
    if (read(from, &byte, 1) < 0)
        truth_set(&begun, 2);
}

int main(void)
{
    VERDICT(3, 1, "none", "",
            "2 threads wait, directly or indirectly, for {A}, which waits in read for "
            "{descriptor}, called from receive at {A.at}.");
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
            {
#pragma omp task
                receive();
                truth_await(&begun, 1);
                VERDICT_STAYS_SOMEWHERE("B");
            }
        }
        VERDICT_STAYS_SOMEWHERE("C");
    }
}
