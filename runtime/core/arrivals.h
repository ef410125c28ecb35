/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where the threads of a team count themselves in at a barrier and at the join.
 *
 * A team whose threads share a cache has one counter, rt_team.arrived. In a wider one that counter would go
 * from cache to cache once for each thread. So its threads count themselves in a few to a counter, those that
 * are near each other together; who completes one counts all of them in the next, and at the top that is
 * rt_team.arrived again. So whatever asks whether all have arrived asks that in both kinds of team. (At a
 * barrier of two threads it is rt_team.meets: barrier.c.)
 */
#ifndef RT_ARRIVALS_H
#define RT_ARRIVALS_H

#include "team.h"

/** A counter of some threads, or of some counters. Zero between two barriers. */
struct rt_arrivals {
    RT_ALIGNED _Atomic uint32_t arrived;
    /* Not in its line, which the next one who counts takes away at once. */
    RT_ALIGNED uint32_t expected; /**< arrivals that complete it */
    uint32_t threads;             /**< that it stands for */
    struct rt_arrivals *up;       /**< NULL: rt_team.arrived */
    /* Where the threads that count here look while they wait: the team's words, or a copy. */
    _Atomic uint32_t *release, *tasks;
    /* Copies of the team's words, for the threads of a few caches while they wait. */
    RT_ALIGNED _Atomic uint32_t bar_gen;
    _Atomic uint32_t tasks_used;
};

/**
 * The team has n members, or their places have changed: by its primary, before the region. `moved`: the same
 * n may need other counters.
 */
void rt_arrivals_fit(struct rt_team *team, int n, int moved);
/** Counts the caller in, in a team with RT_WAY_TREE. Returns 1 when all have arrived. */
int rt_arrivals_count(struct rt_team *team, struct rt_arrivals *counter);
/** Lets all go that wait for GEN, which is in the team's bar_gen already. */
void rt_arrivals_release(struct rt_team *team, uint32_t gen);
/** The team's tasks_used has changed. */
void rt_arrivals_tasks(struct rt_team *team, uint32_t used);
/** cancel-var has changed while the program runs (kmp_set_defaults). */
void rt_arrivals_cancellation(void);

#endif
