/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex with priority inheritance, held at a barrier by one that its waiter keeps there. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>

#include "say.h"

static pthread_mutex_t turn;
static int held, tid;

int main(void)
{
    pthread_mutexattr_t kind;

    say_verdict(2, "deadlock");
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&turn, &kind);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            pthread_mutex_lock(&turn);
            tid = say_tid();
            say_set(&held, 1);
            SAY_BARRIER();
#pragma omp barrier
            pthread_mutex_unlock(&turn);
        } else {
            say_await(&held, 1);
            SAY_MUTEX("turn", &turn, tid);
            pthread_mutex_lock(&turn);
            pthread_mutex_unlock(&turn);
#pragma omp barrier
        }
    }
}
