/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The frame of the stress: what a scenario gets, how it draws its choices, and how it says that something is
 * wrong.
 *
 * A scenario is a function that opens its own parallel regions and checks what came out against a truth that
 * no OpenMP construct computed. It may run in the initial thread, in a region of any depth, in a task, in a
 * pthread of the program or in the child of a fork, and several may run at the same time: it has no state of
 * its own. Its choices follow from the seed and its number alone; what differs from run to run is the timing.
 */
#ifndef STRESS_H
#define STRESS_H

#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __clang__
#define CLANG_AT_LEAST(v) (__clang_major__ >= (v))
#define GCC_AT_LEAST(v)   0
#else
#define CLANG_AT_LEAST(v) 0
#define GCC_AT_LEAST(v)   (__GNUC__ >= (v))
#endif

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

/** What threads share outside the construct under test: sequentially consistent. */
#define LOAD(x)     __atomic_load_n(&(x), __ATOMIC_SEQ_CST)
#define STORE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_SEQ_CST)
#define ADD(x, n)   __atomic_add_fetch(&(x), (n), __ATOMIC_SEQ_CST)

/** Where a scenario runs, and its generator. Each thread or task that draws has a branch of its own. */
struct run {
    uint64_t state;
    int threads; /**< threads that the surroundings run at the same time, at least 1 */
    int depth;   /**< scenarios around this one */
    int top;     /**< 1 outside all parallel regions */
    int child;   /**< 1 in a process made by fork() */
};

uint64_t stress_mix(uint64_t a, uint64_t b);
/** 0 .. n - 1. */
int pick(struct run *r, int n);
static inline int chance(struct run *r, int percent)
{
    return pick(r, 100) < percent;
}
/** A generator of its own for part number `salt` of something that has `threads` times as many threads. */
struct run branch(const struct run *r, int salt, int threads);
/** Size of the next team: 1 to 8, fewer when many threads are around already. */
int team_size(struct run *r);
/** Sometimes lets time pass, in one of several ways. */
void disturb(struct run *r);
/** Zeroed; ends the program when there is no memory. */
void *take(size_t n, size_t size);
/** Runs n scenarios, drawn from the table. */
void run_some(struct run *r, int n);

_Noreturn void stress_fail(const char *file, int line, const char *what, long long got, long long wanted);
#define CHECK(...) ((__VA_ARGS__) ? (void)0 : stress_fail(__FILE__, __LINE__, #__VA_ARGS__, 0, 1))
#define CHECK_EQ(got, wanted)                                                    \
    do {                                                                         \
        long long got_ = (long long)(got), wanted_ = (long long)(wanted);        \
        if (got_ != wanted_)                                                     \
            stress_fail(__FILE__, __LINE__, #got " is " #wanted, got_, wanted_); \
    } while (0)
/** Each of hits[0 .. n-1] is 1. */
void check_all_once(const char *file, int line, const int *hits, long n);
#define CHECK_ONCE(hits, n) check_all_once(__FILE__, __LINE__, hits, n)

/** Threads that this process may use at the same time for one scenario. */
#define STRESS_THREADS 24

enum {
    RUN_TOP = 1,   /**< only outside parallel regions (teams) */
    RUN_OUTER = 2, /**< runs others inside; not in the middle of deep nests */
    RUN_MAIN = 4,  /**< only in the initial thread, nothing around */
    RUN_NAMES = 8, /**< not in a child of fork(): a thread that it has not may hold a critical's name */
};
struct scenario {
    const char *name;
    void (*run)(struct run *r);
    int flags;
    int weight;
};
extern const struct scenario scenarios_regions[], scenarios_loops[], scenarios_program[], scenarios_tasks[],
    scenarios_depend[], scenarios_cancel[], scenarios_sync[], scenarios_process[], scenarios_order[];

/* ---- worksharing by a team (stress_loops.c), also used by the random team programs --------------------- */

/**
 * A loop of `trip` iterations that counts each in hits[]. All threads of a team call loop_run() with the same
 * loop.
 */
struct loop {
    int *hits;
    long trip;
    int type, kind, column; /**< which function */
    int chunk, step, down;
    long turn;     /**< ordered loops: iterations whose ordered region is over, in their order */
    long long sum; /**< of the iterations' numbers, and how often the last was seen: kind 0 of the others */
    int last;
};
void loop_plan(struct loop *loop, struct run *r);
void loop_run(struct loop *loop, struct run *mine);
/** After the team is through. */
void loop_check(struct loop *loop);

#endif
