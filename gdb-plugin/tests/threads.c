/* SPDX-License-Identifier: Apache-2.0 */
/* A program without OpenMP: `threads N` starts N threads, each with a thread-local, and calls held(). */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

int global[4] = {42, 43, 44, 45};
__thread int of_thread = 7;

void held(void);

void __attribute__((noinline)) held(void)
{
    for (;;)
        sleep(1);
}

static pthread_barrier_t all;

static void *work(void *argument)
{
    of_thread = (int)(long)argument;
    pthread_barrier_wait(&all);
    for (;;)
        pause();
    return NULL;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 3;
    pthread_attr_t small;
    pthread_t thread;

    pthread_barrier_init(&all, NULL, (unsigned)n + 1);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (long i = 0; i < n; i++)
        if (pthread_create(&thread, &small, work, (void *)(100 + i)))
            return 2;
    pthread_barrier_wait(&all);
    usleep(100000); /* the threads are in pause() */
    held();
    return 0;
}
