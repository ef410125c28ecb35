/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * After Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors"
 * (1991), for the central barriers; libgomp's is one with the count and the generation in lines of their own,
 * and a region passes two of them: at its begin all are let go from where they wait between regions, at its
 * end they meet. libomp's is a tree: of each four neighbours the first one waits for the three others, then
 * the same among those firsts; the way back is the same tree. A region's begin is the way back, its end the
 * way there.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "runtime/tests/mesi/described.h"
#include "runtime/tests/mesi/lines.h"

#define LINE __attribute__((aligned(64)))

/* ---- one counter --------------------------------------------------------------------------------------- */

struct central {
    LINE _Atomic int awaited;
    _Atomic int sense_beside; /* of the textbook's: in the counter's line */
    LINE _Atomic int generation;
};

static struct central inside, outside; /* the barriers of a region, and between regions */

static void central_start(int threads)
{
    inside.awaited = outside.awaited = threads;
}

static void pass(struct central *barrier, _Atomic int *generation, int threads)
{
    int before = atomic_load_explicit(generation, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&barrier->awaited, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&barrier->awaited, threads, memory_order_relaxed);
        atomic_store_explicit(generation, before + 1, memory_order_release);
    } else {
        while (atomic_load_explicit(generation, memory_order_acquire) == before)
            ;
    }
}

static void one_line(int thread, int threads)
{
    (void)thread;
    pass(&inside, &inside.sense_beside, threads);
}

static void two_lines(int thread, int threads)
{
    (void)thread;
    pass(&inside, &inside.generation, threads);
}

static void two_lines_let_go(int thread, int threads)
{
    (void)thread;
    pass(&outside, &outside.generation, threads);
}

static void central_fork(int threads)
{
    two_lines_let_go(0, threads);
}

static void central_join(int threads)
{
    two_lines(0, threads);
}

/* ---- a tree of threads --------------------------------------------------------------------------------- */

enum { BITS = 2, BRANCHES = 1 << BITS };

static struct {
    LINE _Atomic uint32_t arrived;
    LINE _Atomic uint32_t go;
    LINE uint32_t arrivals, goes; /* the thread's own */
} node[LINES_THREADS];

static void until(_Atomic uint32_t *word, uint32_t value)
{
    while (atomic_load_explicit(word, memory_order_acquire) != value)
        ;
}

static void tree_start(int threads)
{
    (void)threads;
}

static void gather(int thread, int threads)
{
    uint32_t now = ++node[thread].arrivals;
    for (int level = 0; 1 << level < threads; level += BITS) {
        if ((thread >> level) % BRANCHES != 0) {
            atomic_store_explicit(&node[thread].arrived, now, memory_order_release);
            return;
        }
        for (int child = 1; child < BRANCHES && thread + (child << level) < threads; child++)
            until(&node[thread + (child << level)].arrived, now);
    }
}

static void release(int thread, int threads)
{
    uint32_t now = ++node[thread].goes;
    if (thread != 0)
        until(&node[thread].go, now);
    int level = 0;
    while (1 << level < threads && (thread >> level) % BRANCHES == 0)
        level += BITS;
    while ((level -= BITS) >= 0)
        for (int child = 1; child < BRANCHES && thread + (child << level) < threads; child++)
            atomic_store_explicit(&node[thread + (child << level)].go, now, memory_order_release);
}

static void tree(int thread, int threads)
{
    gather(thread, threads);
    release(thread, threads);
}

static void tree_fork(int threads)
{
    release(0, threads);
}

static void tree_join(int threads)
{
    gather(0, threads);
}

/* -------------------------------------------------------------------------------------------------------- */

static const struct described all[] = {
    {"textbook", central_start, one_line, NULL, NULL, NULL, NULL},
    {"libgomp", central_start, two_lines, central_fork, central_join, two_lines_let_go, two_lines},
    {"libomp", tree_start, tree, tree_fork, tree_join, release, gather},
};

const struct described *described_named(const char *name)
{
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}
