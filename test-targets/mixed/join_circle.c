/* SPDX-License-Identifier: Apache-2.0 */
/* The first thread waits for another one's end; that and a third have two mutexes in the wrong order. */
#include <omp.h>
#include <pthread.h>

#include "say.h"

static struct {
    int used;
    pthread_mutex_t queue, log;
} pool;
static int held[2], tid[2], sum;

static void *one(void *arg)
{
    pthread_mutex_lock(&pool.queue);
    tid[0] = say_tid();
    say_set(&held[0], 1);
    say_await(&held[1], 1);
    SAY_MUTEX("pool.log", &pool.log, tid[1]);
    pthread_mutex_lock(&pool.log);
    pthread_mutex_unlock(&pool.log);
    return arg;
}

static void *two(void *arg)
{
    pthread_mutex_lock(&pool.log);
    tid[1] = say_tid();
    say_set(&held[1], 1);
    say_await(&held[0], 1);
    SAY_MUTEX("pool.queue", &pool.queue, tid[0]);
    pthread_mutex_lock(&pool.queue);
    pthread_mutex_unlock(&pool.queue);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t kind;
    pthread_t a, b;

    say_verdict(3, "deadlock");
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&pool.queue, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&pool.log, &kind);
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num();
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    say_await(&held[0], 1);
    SAY("join", "futex", "'call':'pthread_join','owner':%d", tid[0]);
    pthread_join(a, NULL);
    return pthread_join(b, NULL);
}
