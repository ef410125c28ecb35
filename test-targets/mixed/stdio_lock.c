/* SPDX-License-Identifier: Apache-2.0 */
/* A thread of a team holds a stream and waits for a critical construct, in which another one prints to it. */
#include <omp.h>
#include <stdio.h>

#include "say.h"

static int locked, inside, tid;
static FILE *out;

int main(void)
{
    say_verdict(2, "unknown");
    out = fopen("/dev/null", "w");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            flockfile(out);
            say_set(&locked, 1);
            say_await(&inside, 1);
            say(0, "openmp", "futex", "'wait':'critical','name':'print','owner':%d", tid);
#pragma omp critical(print)
            say_after();
            funlockfile(out);
        } else {
#pragma omp critical(print)
            {
                tid = say_tid();
                say_await(&locked, 1);
                say_set(&inside, 1);
                SAY("futex", "futex", "'call':'fputs|fwrite'");
                fputs("a line\n", out);
                say_after();
            }
        }
    }
}
