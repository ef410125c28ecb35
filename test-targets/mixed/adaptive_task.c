/* SPDX-License-Identifier: Apache-2.0 */
/* A pthread holds an adaptive mutex and wants to enter the critical construct whose task wants the mutex. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>

#include "say.h"

static pthread_mutex_t cache = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static int inside, held, tid[2];

static void *outsider(void *arg)
{
    pthread_mutex_lock(&cache);
    tid[0] = say_tid();
    say_set(&held, 1);
    say_await(&inside, 1);
    say(0, "openmp", "futex", "'wait':'critical','name':'fill','owner':%d", tid[1]);
#pragma omp critical(fill)
    say_after();
    pthread_mutex_unlock(&cache);
    return arg;
}

int main(void)
{
    pthread_t thread;

    say_verdict(2, "deadlock");
    pthread_create(&thread, NULL, outsider, NULL);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp critical(fill)
    {
#pragma omp task if (0)
        {
            tid[1] = say_tid();
            say_await(&held, 1);
            say_set(&inside, 1);
            SAY_MUTEX("cache", &cache, tid[0]);
            pthread_mutex_lock(&cache);
            pthread_mutex_unlock(&cache);
        }
        say_after();
    }
    pthread_join(thread, NULL);
}
