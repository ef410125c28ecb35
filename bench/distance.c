/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How far apart two processors are: prints the ns in which a line of memory goes from one to the other, the
 * least of some samples.
 *
 * Two threads, each bound to one of the first two processors that the process may use, write a word in turn.
 * A virtual machine's kernel cannot tell this distance: the host may move its processors at any time.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIPS = 500, SAMPLES = 9 };

static struct {
    _Alignas(128) _Atomic unsigned word;
    char rest[124]; /* no neighbour in its line, nor in the one that is fetched with it */
} turn;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/** Goes to the n-th processor of those in `all`; 0 if it could not. */
static int go_to(const cpu_set_t *all, int n)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, all) && n-- == 0)
            CPU_SET(cpu, &one);
    }
    return CPU_COUNT(&one) == 1 && sched_setaffinity(0, sizeof one, &one) == 0;
}

static void wait_for(unsigned value)
{
    while (atomic_load_explicit(&turn.word, memory_order_acquire) != value)
        ;
}

static void *answer(void *all)
{
    if (!go_to(all, 1)) {
        fputs("distance: a thread cannot be bound\n", stderr);
        exit(1);
    }
    for (unsigned i = 0; i < TRIPS * SAMPLES; i++) {
        wait_for(2 * i + 1);
        atomic_store_explicit(&turn.word, 2 * i + 2, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    cpu_set_t all;
    pthread_t other;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2 || !go_to(&all, 0) ||
        pthread_create(&other, NULL, answer, &all) != 0) {
        fputs("distance: it needs two processors\n", stderr);
        return 1;
    }
    double least = 1e9;
    for (unsigned sample = 0; sample < SAMPLES; sample++) {
        double start = now();
        for (unsigned i = sample * TRIPS; i < (sample + 1) * TRIPS; i++) {
            atomic_store_explicit(&turn.word, 2 * i + 1, memory_order_release);
            wait_for(2 * i + 2);
        }
        double one_way = (now() - start) / (2 * TRIPS);
        least = one_way < least ? one_way : least;
    }
    pthread_join(other, NULL);
    printf("%.1f\n", least);
    return 0;
}
