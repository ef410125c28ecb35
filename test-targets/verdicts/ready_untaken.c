/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: 12 tasks are ready and nobody takes them, for all wait for a critical section whose owner
 * writes slowly. */
#define _GNU_SOURCE
#include "verdict.h"

#include <fcntl.h>
#include <unistd.h>

static int written, done;

static void flush_log(void)
{
    static char page[4096];
    int ends[2];
    if (pipe(ends) != 0)
        return;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], page, sizeof page) > 0) { /* until the pipe is full */
    }
    fcntl(ends[1], F_SETFL, 0);
    truth_set(&written, 1);
    VERDICT_STAYS("A");
    if (write(ends[1], page, sizeof page) < 0)
        truth_set(&done, 2);
}

int main(void)
{
    VERDICT(4, 0, "none", "",
            "12 tasks are ready and no thread runs them: 3 threads wait for critical 'log' at {B.at}, "
            "held by {A}, which waits in write for {descriptor}, called from flush_log at {A.at}.");
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp critical(log)
            {
                for (int i = 0; i < 12; i++) {
#pragma omp task
                    truth_set(&done, 1);
                }
                flush_log();
            }
        }
        truth_await(&written, 1);
        VERDICT_STAYS("B");
#pragma omp critical(log)
        {
            truth_set(&done, 3);
        }
    }
}
