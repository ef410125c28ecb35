/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A process that knows how long it stood still: THREADS wait for a lock, one more reads the clock without
 * pause and keeps the longest time between two readings.
 *
 * usage: still THREADS
 *
 * Prints "ready", then for each line of its input the nanoseconds of the longest gap since the line before,
 * until the input ends.
 */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static _Atomic uint64_t longest;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t); /* the vDSO's: no system call that a stop could interrupt */
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void *watch(void *arg)
{
    uint64_t last = now();
    (void)arg;
    for (;;) {
        uint64_t time = now(), gap = time - last, most = atomic_load_explicit(&longest, memory_order_relaxed);
        while (gap > most && !atomic_compare_exchange_weak(&longest, &most, gap))
            ;
        last = time;
    }
    return NULL;
}

static void answer(void)
{
    puts("ready");
    fflush(stdout);
    for (int c; (c = getchar()) != EOF;)
        if (c == '\n') {
            printf("%llu\n", (unsigned long long)atomic_exchange(&longest, 0));
            fflush(stdout);
        }
    exit(0);
}

int main(int argc, char **argv)
{
    int threads = argc == 2 ? atoi(argv[1]) : 0, here = 0;
    omp_lock_t lock;
    pthread_t watcher;

    if (threads < 2) {
        fprintf(stderr, "usage: %s THREADS, at least 2\n", argv[0]);
        return 64;
    }
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
        here++;
        if (omp_get_thread_num() == 0) {
            for (int all = 0; all < threads;) {
#pragma omp atomic read
                all = here;
            }
            if (pthread_create(&watcher, NULL, watch, NULL))
                exit(1);
            answer();
        }
        omp_set_lock(&lock);
    }
}
