/* SPDX-License-Identifier: Apache-2.0 */
/* A signal's handler wants the mutex that the code it has interrupted holds; the team waits for both. */
#include <omp.h>
#include <pthread.h>
#include <signal.h>

#include "say.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int tid;

static void handler(int number)
{
    (void)number;
    SAY_MUTEX("mutex", &mutex, tid);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    say_verdict(2, "suspected deadlock");
    signal(SIGUSR1, handler);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            pthread_mutex_lock(&mutex);
            tid = say_tid();
            pthread_kill(pthread_self(), SIGUSR1);
            pthread_mutex_unlock(&mutex);
        } else {
            SAY_BARRIER();
        }
    }
}
