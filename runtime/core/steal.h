/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a thread learns of taking others' tasks: whether it pays. Tasks that are shorter than the trip make
 * the program slower when they are taken: their creator has to queue further ones, and waits for the lines of
 * the queue and of the descriptors. So a thief compares, for what it took at one visit, the time in the
 * tasks' code with the rest of the time that it needed. The creator loses some two times that rest for each
 * task (docs/benchmarks.md, Tasks by length), so a visit pays if the code took twice as long. If it did not,
 * the thief stays away for a while, twice as long each time; once a visit pays, it comes as often as before.
 */
#ifndef RT_STEAL_H
#define RT_STEAL_H

#include <stdint.h>

#define RT_STEAL_MOST 16 /**< tasks that a thief takes at a time, at most half of what is there */
#define RT_STEAL_PAYS 2  /**< times the rest is the code of tasks that it pays to take */
/** Ticks (rt_arch_clock) that a thief stays away: some microseconds at first, a fraction of 1 ms at most. */
#define RT_STEAL_PAUSE_FIRST (UINT64_C(1) << 13)
#define RT_STEAL_PAUSE_MOST  (UINT64_C(1) << 19)

struct rt_steal {
    uint64_t begun;  /**< the visit */
    uint64_t worked; /**< in the code of the tasks that it brought */
    uint64_t pause;  /**< 0: it paid the last time */
    uint64_t until;  /**< the end of the pause */
    uint32_t left;   /**< of the tasks that it brought; 0: none is being judged */
};

/**
 * No more is ever left of a pause than the whole of it. Where more seems to be left, the virtual machine has
 * been moved to a host whose counter is behind, and the pause is over.
 */
static inline int rt_steal_pauses(const struct rt_steal *steal, uint64_t now)
{
    return steal->until - now - 1 < steal->pause;
}

/** A visit that began at `begun` has brought so many tasks. */
static inline void rt_steal_brought(struct rt_steal *steal, uint64_t begun, uint32_t tasks)
{
    steal->begun = begun;
    steal->worked = 0;
    steal->left = tasks;
}

/** Of these one has run, and its code took so long; at the last one it is known whether the visit paid. */
static inline void rt_steal_ran(struct rt_steal *steal, uint64_t worked, uint64_t now)
{
    steal->worked += worked;
    if (--steal->left > 0)
        return;
    if (steal->worked / RT_STEAL_PAYS >= now - steal->begun - steal->worked) {
        steal->pause = 0;
        return;
    }
    steal->pause = steal->pause == 0 ? RT_STEAL_PAUSE_FIRST : steal->pause * 2;
    if (steal->pause > RT_STEAL_PAUSE_MOST)
        steal->pause = RT_STEAL_PAUSE_MOST;
    steal->until = now + steal->pause;
}

#endif
