/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How long a waiter stays awake, and how threads of a team wake each other.
 *
 * A waiter spins a while, since most waits are short, and then sleeps: it neither burns a core nor pays two
 * system calls for a wait of 100 ns. With more threads than processors spinning only delays the thread that
 * is waited for, so a waiter gives its time slice away instead, as long as that is cheap. But where fewer
 * threads have yet to come than there are processors, all of them may be running, and will be there sooner
 * than a switch to another thread and back would be over: it spins for about one switch first.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

#include "arch.h"
#include "futex.h"
#include "notify.h"

#define YIELD_EVERY 256 /**< rounds of spinning */
#define YIELDS      40  /**< slices given away before sleeping, when there are more threads than processors */
#define SPINS_AHEAD 40  /**< rounds before the first of these, if all who are ahead may run: 1 to 2 us */
#define YIELD_LONG  2000  /**< microseconds: less than another program's slice */
#define ASK_EVERY   20000 /**< microseconds */
#define YIELD_REST  8     /**< times as long as a long slice, during which none is given away */

/**
 * When slices may be given away again, in microseconds. Giving one away is cheap while the team has the
 * processors for itself: the others are back at once. With another program on them it costs that program's
 * whole slice, some milliseconds at each barrier, while a sleeper is woken before that slice ends. A slice
 * that was long, and another program's, is therefore followed by eight times as long without any: yields in
 * vain cost a ninth of the time at most. All threads share the word, as they share the processors; a lost
 * update changes nothing that matters.
 */
static _Atomic int64_t yields_from;

/** When it was last asked whose the processors were, and the process's processor time then. */
static _Atomic int64_t asked, used;

static int64_t microseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/**
 * Whether other programs have had more than a quarter of a processor since the last question. (A long slice
 * may also be that of a thread of the team, which computes: sleeping would make nothing quicker then, but
 * each barrier slower.) The kernel counts the time of running threads at its ticks, so no question is about
 * less than some ticks; of threads that come back at the same time one asks.
 */
static int others_run(int64_t now)
{
    int64_t before = rt_load(asked), time = now - before;
    if (time < ASK_EVERY || !atomic_compare_exchange_strong_explicit(
                                &asked, &before, now, memory_order_relaxed, memory_order_relaxed))
        return 0;
    int64_t cpu = microseconds(CLOCK_PROCESS_CPUTIME_ID), mine = cpu - rt_load(used);
    rt_store(used, cpu);
    return before != 0 && time * rt_root.procs - mine > time / 4;
}

/** Gives a slice away. Returns 1 when the caller should sleep instead, never if it `always` stays awake. */
static int give_slice(int always)
{
    if (always) {
        sched_yield();
        return 0;
    }
    int64_t before = microseconds(CLOCK_MONOTONIC);
    if (before < rt_load(yields_from))
        return 1;
    sched_yield();
    int64_t after = microseconds(CLOCK_MONOTONIC);
    if (unlikely(after - before > YIELD_LONG) && others_run(after))
        rt_store(yields_from, after + (after - before) * YIELD_REST);
    return 0;
}

/** Whether each of those who are ahead may be running on a processor of its own, beside the caller. */
static int all_may_run(uint32_t ahead)
{
    return ahead != 0 && ahead < rt_root.procs;
}

/**
 * Also as seen by those who are not counted: workers between two regions, which look for the next one, and
 * threads in no region, of which nobody knows how many look for the same thing.
 */
static int too_many(const struct rt_patience *patience)
{
    int32_t busy = rt_load(rt_root.busy);
    if (unlikely(patience->outside))
        busy = (int32_t)rt_load(rt_root.threads);
    else if (patience->team != NULL && rt_load(patience->team->busy) == 0)
        busy += __atomic_load_n(&patience->team->nthreads, __ATOMIC_RELAXED) - 1;
    return busy > (int32_t)rt_root.procs;
}

int rt_patience_spent(struct rt_patience *patience)
{
    uint32_t spin = rt_root.spin; /* 0 passive, UINT32_MAX active */
    if (spin == 0)
        return 1;
    int always = spin == UINT32_MAX;
    if (unlikely(too_many(patience))) {
        if (all_may_run(patience->ahead) && patience->rounds < SPINS_AHEAD) {
            patience->rounds++;
            rt_pause();
            return 0;
        }
        if (patience->yields >= YIELDS && !always)
            return 1;
        patience->yields++;
        return give_slice(always);
    }
    for (uint32_t i = 0; i <= patience->pauses; i++)
        rt_pause();
    if (patience->rounds >= spin && !always)
        return 1;
    /*
     * Whoever is waited for may have been put on the same processor, or another program's thread is on his.
     */
    uint32_t before = patience->rounds;
    patience->rounds = before + 1 + patience->pauses;
    if (unlikely(before / YIELD_EVERY != patience->rounds / YIELD_EVERY))
        return give_slice(always);
    return 0;
}

void rt_notify_slow(struct rt_team *team, uint32_t bits, int count)
{
    atomic_fetch_add_explicit(&team->event, 1, memory_order_seq_cst);
    rt_futex_wake_bits(&team->event, count, bits);
}

void rt_notify_work_slow(struct rt_team *team)
{
    rt_store(team->work_wakeup, 1);
    atomic_fetch_add_explicit(&team->event, 1, memory_order_seq_cst);
    /* A thread that is woken answers. If none was asleep, those about to sleep see the event. */
    if (rt_futex_wake_bits(&team->event, 1, RT_WAKE_WORK) <= 0)
        rt_store(team->work_wakeup, 0);
}

void rt_word_wait(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleepers)
{
    struct rt_patience patience = {0};
    while (rt_acquire(*word) == value) {
        if (!rt_patience_spent(&patience))
            continue;
        /* Who changes the word does it and reads `sleepers` by seq_cst accesses too (litmus: word_wait). */
        atomic_fetch_add_explicit(sleepers, 1, memory_order_seq_cst);
        if (atomic_load_explicit(word, memory_order_seq_cst) == value)
            rt_futex_wait(word, value);
        atomic_fetch_sub_explicit(sleepers, 1, memory_order_relaxed);
    }
}
