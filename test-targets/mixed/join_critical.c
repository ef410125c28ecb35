/* SPDX-License-Identifier: Apache-2.0 */
/* A thread of a team waits, in a critical construct, for the end of a pthread that wants to enter it. */
#include <omp.h>
#include <pthread.h>

#include "say.h"

static int inside, tid[2], out;

static void *worker(void *arg)
{
    tid[1] = say_tid();
    say_await(&inside, 1);
    say(0, "openmp", "futex", "'wait':'critical','name':'update','owner':%d", tid[0]);
#pragma omp critical(update)
    say_set(&out, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;

    say_verdict(3, "deadlock");
    pthread_create(&thread, NULL, worker, NULL);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp critical(update)
            {
                tid[0] = say_tid();
                say_await(&tid[1], 1);
                say_set(&inside, 1);
                SAY("join", "futex", "'call':'pthread_join','owner':%d", tid[1]);
                pthread_join(thread, NULL);
                say_set(&out, 1);
            }
        } else {
            SAY_BARRIER();
        }
    }
}
