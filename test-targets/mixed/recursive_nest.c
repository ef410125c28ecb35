/* SPDX-License-Identifier: Apache-2.0 */
/* A recursive mutex and a nestable lock, taken twice and in the wrong order; an error-checking mutex. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>

#include "say.h"

static omp_nest_lock_t nest;
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int held[2], tid[2];

static void *outsider(void *arg)
{
    say_await(&held[1], 1);
    SAY_MUTEX("checked", &checked, tid[1]);
    pthread_mutex_lock(&checked);
    pthread_mutex_unlock(&checked);
    return arg;
}

int main(void)
{
    pthread_t thread;

    say_verdict(3, "deadlock");
    omp_init_nest_lock(&nest);
    pthread_create(&thread, NULL, outsider, NULL);
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();

        tid[me] = say_tid();
        if (me == 0) {
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            say_set(&held[0], 1);
            say_await(&held[1], 1);
            SAY_MUTEX("again", &again, tid[1]);
            pthread_mutex_lock(&again);
        } else {
            pthread_mutex_lock(&checked);
            pthread_mutex_lock(&again);
            pthread_mutex_lock(&again);
            say_set(&held[1], 1);
            say_await(&held[0], 1);
            say(__LINE__ + 1, "openmp", "futex", "'wait':'nest_lock','name':'nest','owner':%d", tid[0]);
            omp_set_nest_lock(&nest);
        }
        say_after();
    }
    pthread_join(thread, NULL);
}
