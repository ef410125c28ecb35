/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What step_test.cc single-steps: a case between two breakpoint instructions, with a team that is already
 * warm. The program knows the addresses that the tracer needs and prints them as "ADDRESS name 0x...".
 */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK() __asm__ volatile("int3" ::: "memory")

static omp_lock_t lock;
static volatile int turn;

static void fork_join(void)
{
#pragma omp parallel num_threads(2)
    __asm__ volatile("" ::: "memory");
}

static void nested_fork(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        __asm__ volatile("" ::: "memory");
    }
}

/** Both inner regions at the same time, so that each has a worker of its own from now on. */
static void nested_together(void)
{
    int here = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
            __atomic_fetch_add(&here, 1, __ATOMIC_SEQ_CST);
            while (__atomic_load_n(&here, __ATOMIC_SEQ_CST) < 4)
                sched_yield();
        }
    }
}

/** A worker that leaves its team and comes back. */
static void narrower(void)
{
    for (int n = 3; n >= 2; n--) {
#pragma omp parallel num_threads(n)
        __asm__ volatile("" ::: "memory");
    }
}

/** The one worker of the inner teams is taken from the other each time. */
static void taken(void)
{
    for (int leader = 0; leader < 2; leader++) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == leader) {
#pragma omp parallel num_threads(2)
            __asm__ volatile("" ::: "memory");
        }
    }
}

static void serialised(void)
{
#pragma omp parallel if (0)
    __asm__ volatile("" ::: "memory");
}

static void lock_wait(void)
{
    turn = 0;
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock);
        turn++;
        omp_unset_lock(&lock);
    }
}

static void tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        __asm__ volatile("" ::: "memory");
#pragma omp task
        {
#pragma omp task
            __asm__ volatile("" ::: "memory");
        }
#pragma omp taskwait
    }
}

/** In a team of one, and undeferred: they run as they are created. */
static void tasks_at_once(void)
{
#pragma omp parallel if (0)
    {
#pragma omp task
        {
#pragma omp task if (0)
            __asm__ volatile("" ::: "memory");
        }
#pragma omp task if (0)
        {
#pragma omp task
            __asm__ volatile("" ::: "memory");
        }
    }
}

/** How often each thread has been about to come to a barrier, the region's end included. */
static volatile int coming[2];

static void barrier(void)
{
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        coming[me]++;
#pragma omp barrier
        coming[me]++;
#pragma omp barrier
        coming[me]++;
    }
}

/** The first task of a region comes while the other thread may still be about to leave a barrier. */
static void barrier_tasks(void)
{
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        coming[me]++;
#pragma omp barrier
        if (me == 1) {
#pragma omp task
            __asm__ volatile("" ::: "memory");
        }
        coming[me]++;
#pragma omp barrier
        coming[me]++;
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"fork_join", fork_join},
    {"nested_fork", nested_fork},
    {"serialised", serialised},
    {"lock_wait", lock_wait},
    {"tasks", tasks},
    {"barrier", barrier},
    {"barrier_tasks", barrier_tasks},
    {"narrower", narrower},
    {"taken", taken},
    {"tasks_at_once", tasks_at_once},
};

int main(int argc, char **argv)
{
    omp_init_lock(&lock);
    omp_set_max_active_levels(3);
    printf("ADDRESS lock %p\n", (void *)&lock);
    printf("ADDRESS coming %p\n", (void *)coming);
    fflush(stdout);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) {
            for (int warm = 0; warm < 3; warm++)
                cases[i].run();
            if (cases[i].run == nested_fork)
                nested_together();
            MARK();
            cases[i].run();
            cases[i].run(); /* again, with the same slots: what is left of the first must not show */
            MARK();
            return 0;
        }
    fprintf(stderr, "no such case\n");
    return 2;
}
