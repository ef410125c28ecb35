/* SPDX-License-Identifier: Apache-2.0 */
/* A condition with a time limit, beside a task group that waits for it. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <time.h>

#include "say.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void consume(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SAY_LONG;
    pthread_mutex_lock(&mutex);
    SAY_LIMITED("condition", "pthread_cond_timedwait", "filled", &filled, 48);
    pthread_cond_timedwait(&filled, &mutex, &until);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    say_verdict(1, "none unknown");
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task
        consume();
    }
}
