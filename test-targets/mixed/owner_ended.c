/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex whose owner has ended with it. */
#include <omp.h>
#include <pthread.h>

#include "say.h"

static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static int tid;

static void *owner(void *arg)
{
    tid = say_tid();
    pthread_mutex_lock(&state);
    return arg;
}

int main(void)
{
    pthread_t thread;

    say_verdict(2, "stuck");
    pthread_create(&thread, NULL, owner, NULL);
    pthread_join(thread, NULL);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            SAY_FOREIGN("state", &state, "ended", 0);
            pthread_mutex_lock(&state);
            pthread_mutex_unlock(&state);
        } else {
            SAY_BARRIER();
        }
    }
}
