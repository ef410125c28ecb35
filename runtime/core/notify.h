/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How threads of a team wake each other, and how long a waiter stays awake.
 */
#ifndef RT_NOTIFY_H
#define RT_NOTIFY_H

#include "arch.h"
#include "team.h"
#include "thread.h"

/** One waiter's patience: spins, then yields, then says that it is time to sleep. */
struct rt_patience {
    uint32_t rounds, yields;
    uint32_t ahead;  /**< threads that must come before the wait is over, as far as is known; 0: it is not */
    uint32_t pauses; /**< more than one before each look */
    uint8_t naps;    /**< taken one after the other while a device works (wait.c) */
    uint8_t outside; /**< the waiter is in no region, as may be those who wait for the same thing */
    const struct rt_team *team; /**< the waiter's, in a region or between two; may be NULL */
};
/** More threads are busy than there are processors: one that only looks may keep another from its own. */
static inline int rt_oversubscribed(void)
{
    return rt_load(rt_root.busy) > (int32_t)rt_root.procs;
}
/** Returns 1 when the caller should sleep now. */
int rt_patience_spent(struct rt_patience *patience);

/** Why a sleeper of a team may want to wake. */
enum rt_wake {
    RT_WAKE_RELEASE = 1,
    RT_WAKE_WORK = 2,
    RT_WAKE_DONE = 4,
    RT_WAKE_ARRIVE = 8,
    RT_WAKE_FORK = 16
};
/*
 * Who changes what a sleeper looks at stores that, passes a full fence, and reads `sleepers`. A sleeper
 * counts itself in `sleepers`, passes a full fence, and looks (rt_team_wait). Of two full fences one is
 * first, and what is before it is seen behind the other: so the one sees the sleeper, or the other the
 * change (litmus: notify_fence). No order of the two accesses themselves does that.
 */

/**
 * Tells a team's sleepers that something of BITS happened; the caller has already stored what they look at.
 */
void rt_notify_slow(struct rt_team *team, uint32_t bits, int count);
/**
 * After a read-modify-write, by which the caller has changed what they look at (litmus: notify_after_rmw).
 * Plain stores between the two are not ordered.
 */
static inline void rt_notify_ordered(struct rt_team *team, uint32_t bits, int count)
{
    rt_arch_full_after_rmw();
    if (unlikely(rt_load(team->sleepers) != 0))
        rt_notify_slow(team, bits, count);
}
/** Tells those who wait for tasks to end; as rt_notify_ordered. */
static inline void rt_notify_done(struct rt_team *team)
{
    rt_arch_full_after_rmw();
    if (unlikely(rt_load(team->sleepers) >> 32 != 0))
        rt_notify_slow(team, RT_WAKE_DONE, INT32_MAX);
}
#define RT_NAP_ENDS 8 /**< tasks in a queue that end a nap (wait.c) */
/**
 * Wakes one sleeper because a task is ready, of so many in its queue; as rt_notify_ordered. While one that
 * was woken for that is still looking for a task, or naps, no other is woken, but at RT_NAP_ENDS tasks: the
 * one that finds a task and sees more wakes the next (rt_work_wakeup_end). So a thread that makes small tasks
 * pays a system call each time that a thread goes to sleep, not for each task.
 */
void rt_notify_work_slow(struct rt_team *team);
static inline void rt_notify_work(struct rt_team *team, uint32_t queued)
{
    rt_arch_full_after_rmw(); /* of the queue's lock, which was let go */
    if (unlikely(rt_load(team->sleepers) != 0) && (!rt_load(team->work_wakeup) || queued == RT_NAP_ENDS))
        rt_notify_work_slow(team);
}

static inline void rt_notify(struct rt_team *team, uint32_t bits, int count)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (unlikely(rt_load(team->sleepers) != 0))
        rt_notify_slow(team, bits, count);
}

/** Waits while *word == value, counting itself in *sleepers. */
void rt_word_wait(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleepers);

#endif
