/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A load for event_checker.c: 64 threads with many tasks, dependences, nested regions, mutexes and
 * cancellation. Prints how many explicit tasks it has certainly created, and how many at most: behind a
 * cancellation gcc's are not created.
 *
 *     OMP_CANCELLATION=true event_load TASKS
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 64

static _Atomic long created, ran, perhaps;

static void require(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "event_load: %s\n", what);
    abort();
}

/** Each thread makes its share, in groups, with a child for each eighth one. */
static void tasks(long n)
{
    ran = 0;
#pragma omp parallel num_threads(THREADS)
    {
        long share = n / THREADS / 9 * 8;
        for (long i = 0; i < share; i++) {
            created += 1 + (i % 8 == 0);
#pragma omp task firstprivate(i)
            {
                ran++;
                if (i % 8 == 0) {
#pragma omp task untied
                    ran++;
                }
            }
            if (i % 512 == 0) {
#pragma omp taskwait
            }
            if (i % 700 == 0) {
#pragma omp taskyield
            }
        }
    }
    require(ran == created, "tasks are missing");
}

/** A chain for each thread, and readers between the links. */
static void chains(int links)
{
    static long value[THREADS][16];
#pragma omp parallel num_threads(THREADS)
    {
        long *mine = value[omp_get_thread_num()];
        for (int i = 0; i < links; i++) {
            created += 2;
#pragma omp task depend(inout : mine[0])
            mine[0]++;
#pragma omp task depend(in : mine[0])
            require(mine[0] > 0, "a task has run before what it depends on");
        }
#pragma omp taskwait
        require(mine[0] == links, "links are missing");
    }
}

static void nested(int rounds)
{
    static omp_lock_t lock;
    static omp_nest_lock_t nest_lock;
    static long locked, in_critical, in_order;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    for (int i = 0; i < rounds; i++) {
#pragma omp parallel num_threads(8)
#pragma omp parallel num_threads(8)
        {
            omp_set_lock(&lock);
            locked++;
            omp_unset_lock(&lock);
#pragma omp critical(counted)
            in_critical++;
            omp_set_nest_lock(&nest_lock);
            omp_set_nest_lock(&nest_lock);
            omp_unset_nest_lock(&nest_lock);
            omp_unset_nest_lock(&nest_lock);
#pragma omp barrier
        }
#pragma omp parallel num_threads(THREADS)
        {
#pragma omp single
            created++;
#pragma omp for ordered schedule(dynamic)
            for (int k = 0; k < THREADS; k++) {
#pragma omp ordered
                in_order += in_order == 64L * i + k;
            }
#pragma omp single nowait
            {
#pragma omp taskgroup
                {
#pragma omp task
                    ran++;
                }
            }
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
    require(locked == 64L * rounds && in_critical == 64L * rounds && in_order == 64L * rounds,
            "lost updates");
}

static void cancelled(int rounds)
{
    for (int i = 0; i < rounds; i++) {
#pragma omp parallel num_threads(THREADS)
        {
#pragma omp for
            for (int k = 0; k < 1000; k++) {
                if (k == 17 + i) {
#pragma omp cancel for
                }
#pragma omp cancellation point for
            }
#pragma omp single
            {
#pragma omp taskgroup
                for (int k = 0; k < 100; k++) {
                    perhaps++;
#pragma omp task firstprivate(k)
                    {
                        if (k == 50) {
#pragma omp cancel taskgroup
                        }
                    }
                }
            }
            perhaps++;
#pragma omp task
            {
            }
            if (omp_get_thread_num() == i % THREADS) {
#pragma omp cancel parallel
            }
#pragma omp barrier
        }
    }
}

int main(int argc, char **argv)
{
    tasks(argc > 1 ? strtol(argv[1], NULL, 10) : 1000000);
    chains(100);
    nested(10);
    cancelled(10);
    printf("tasks %ld to %ld\n", created, created + perhaps);
    return 0;
}
