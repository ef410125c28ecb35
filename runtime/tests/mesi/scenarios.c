/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Barriers and regions on the stage (stage.h).
 *
 *     scenarios WHOSE barrier|region THREADS CLUSTER SEED      transfers and time of one, by the model
 *     scenarios companion lots THREADS CLUSTER SEED       by lot: nobody passes early, nobody stays behind
 *
 * WHOSE: companion, whose real code this is; textbook, libgomp, libomp: described.c. CLUSTER: threads that
 * share a cache.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/core/env.h"
#include "runtime/core/root.h"
#include "runtime/tests/mesi/described.h"
#include "runtime/tests/mesi/stage.h"

enum { WARM = 3, EPISODES = 8 };

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);
void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags, void **depend, int priority, void *detach);
void omp_fulfill_event(uintptr_t event);
int omp_get_thread_num(void);

static int threads;
static const struct described *described; /* NULL: Companion */

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    _exit(1);
}

/* ---- counting ------------------------------------------------------------------------------------------ */

static uint64_t finished; /* when the last thread was through */
static struct {
    int episodes;
    uint64_t near, far, most, time;
} sum;

/** At the begin of each episode: what the last one took. */
static void episode(void)
{
    static struct lines_counts last;
    static int number;
    struct lines_counts now = stage_counts();
    uint64_t most = stage_most();
    if (number++ > WARM) {
        sum.near += now.near - last.near;
        sum.far += now.far - last.far;
        sum.most = most > sum.most ? most : sum.most;
        sum.time += finished;
        sum.episodes++;
    }
    last = now;
    finished = 0;
}

static void print(void)
{
    double n = (double)sum.episodes;
    printf("transfers %.2f far %.2f most %llu time %.1f\n", (double)(sum.near + sum.far) / n / threads,
           (double)sum.far / n / threads, (unsigned long long)sum.most, (double)sum.time / n);
}

/* ---- barriers ------------------------------------------------------------------------------------------ */

static void barriers(int thread)
{
    for (int i = 0; i < WARM + EPISODES; i++) {
        stage_meet(threads, episode);
        if (described != NULL)
            described->barrier(thread, threads);
        else
            GOMP_barrier();
        if (stage_clock() > finished)
            finished = stage_clock();
    }
    stage_meet(threads, episode);
}

static void barriers_in_region(void *unused)
{
    (void)unused;
    if (stage_self() != omp_get_thread_num())
        fail("a thread of the stage is another member of the team");
    barriers(stage_self());
}

/* ---- regions ------------------------------------------------------------------------------------------- */

static void nothing(void *unused)
{
    (void)unused;
}

static void regions(void)
{
    for (int i = 0; i < WARM + EPISODES; i++) {
        stage_settle();
        episode();
        if (described != NULL) {
            described->fork(threads);
            described->join(threads);
        } else {
            GOMP_parallel(nothing, NULL, (unsigned)threads, 0);
        }
        finished = stage_clock();
    }
    stage_settle();
    episode();
}

/* ---- by lot -------------------------------------------------------------------------------------------- */

static int passed[LINES_THREADS]; /* not watched: the scenario's own */

static void met(int n, int times)
{
    int me = omp_get_thread_num();
    for (int i = 0; i < times; i++) {
        passed[me]++;
        GOMP_barrier();
        for (int other = 0; other < n; other++)
            if (passed[other] < passed[me])
                fail("a thread has passed a barrier before another one had come");
        GOMP_barrier();
    }
}

static void meets(void *data)
{
    met(*(int *)data, 3);
}

static uintptr_t event;

/**
 * Behind a barrier a thread defers the region's first task, which is complete only when the other one has
 * left that barrier too: so that one may not wait there for tasks.
 */
static void first_task(void *unused)
{
    enum { DETACH = 0x2000, LOOKS = 100000 }; /* GOMP_TASK_FLAG_DETACH */
    uintptr_t detached;
    GOMP_barrier();
    if (omp_get_thread_num() != 0) {
        GOMP_task(nothing, NULL, NULL, 0, 1, true, DETACH, NULL, 0, &detached);
        __atomic_store_n(&event, detached, __ATOMIC_SEQ_CST);
    } else {
        int looks = 0;
        for (; __atomic_load_n(&event, __ATOMIC_SEQ_CST) == 0 && looks < LOOKS; looks++)
            stage_touch(&event, 0);
        if (looks == LOOKS)
            fail("no task was created");
        omp_fulfill_event(event);
        event = 0;
    }
    GOMP_barrier();
    (void)unused;
}

/** Wider and narrower teams, whose threads sleep at once or after a round or two. */
static void lots(void)
{
    int sizes[] = {threads, threads / 2, threads, 2, threads - 1};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] < 2)
            continue;
        memset(passed, 0, sizeof passed);
        GOMP_parallel(meets, &sizes[i], (unsigned)sizes[i], 0);
        for (int member = 0; member < sizes[i]; member++)
            if (passed[member] != 3)
                fail("a region was over before its members were");
    }
    for (int i = 0; i < 10; i++)
        GOMP_parallel(first_task, NULL, 2, 0);
    printf("switches %llu\n", (unsigned long long)stage_switches());
}

/* -------------------------------------------------------------------------------------------------------- */

static void *member(void *argument)
{
    int thread = stage_self();
    if (argument != NULL)
        for (;;) {
            described->begin(thread, threads);
            described->end(thread, threads);
        }
    barriers(thread);
    return NULL;
}

static void of_described(int in_regions)
{
    pthread_t id;
    described->start(threads);
    for (int i = 1; i < threads; i++)
        if (pthread_create(&id, NULL, member, in_regions ? &threads : NULL) != 0)
            fail("no thread");
    if (in_regions)
        regions();
    else
        barriers(0);
}

int main(int argc, char **argv)
{
    threads = argc == 6 ? (int)strtol(argv[3], NULL, 10) : 0;
    if (threads < 2 || threads > LINES_THREADS)
        return 2;
    int cluster = (int)strtol(argv[4], NULL, 10);
    int by_lot = strcmp(argv[2], "lots") == 0, in_regions = strcmp(argv[2], "region") == 0;
    described = described_named(argv[1]);
    GOMP_parallel(nothing, NULL, 1, 0); /* the runtime has read its environment */
    if (getenv("OMPC_BARRIER_CLUSTER") == NULL)
        rt_env.barrier_cluster = cluster; /* as on a machine with such caches */
    rt_root.procs = LINES_THREADS * 2;
    uint64_t seed = strtoull(argv[5], NULL, 10);
    rt_root.spin = by_lot ? (uint32_t)(seed % 3) : UINT32_MAX; /* by lot: they sleep at once, or soon */
    stage_begin(cluster, seed, by_lot);
    if (by_lot)
        lots();
    else if (described != NULL)
        of_described(in_regions);
    else if (in_regions)
        regions();
    else
        GOMP_parallel(barriers_in_region, NULL, (unsigned)threads, 0);
    stage_end();
    if (!by_lot)
        print();
    fflush(stdout);
    _exit(0);
}
