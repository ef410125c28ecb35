/* SPDX-License-Identifier: Apache-2.0 */
/* wheels.c: the workers of OpenBLAS' pool by name, each asleep on a condition of its own. */
#include <pthread.h>

enum { WORKERS = 4 };
static pthread_mutex_t locks[WORKERS];
static pthread_cond_t wakeup[WORKERS];

void *blas_thread_server(void *arg)
{
    const long i = (long)arg;

    pthread_mutex_lock(&locks[i]);
    for (;;)
        pthread_cond_wait(&wakeup[i], &locks[i]);
    return NULL;
}

void *run(void *arg)
{
    pthread_t thread;

    for (long i = 0; i < WORKERS; i++)
        if (pthread_create(&thread, NULL, blas_thread_server, (void *)i))
            return arg;
    return NULL;
}
