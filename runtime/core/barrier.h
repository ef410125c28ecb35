/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Barriers and the join of a region.
 */
#ifndef RT_BARRIER_H
#define RT_BARRIER_H

#include "event.h"
#include "state.h"
#include "task.h"
#include "team.h"

void rt_barrier_plain(struct rt_thread *th, enum rt_state state, struct rt_caller caller);
RT_COLD void rt_barrier_instrumented(struct rt_thread *th, enum rt_state state, struct rt_caller caller);
static inline void rt_barrier(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_SYNC | RT_ON_WORK))
        rt_barrier_instrumented(th, state, caller);
    else
        rt_barrier_plain(th, state, caller);
}
/**
 * The same, and whether the region is cancelled: with OMP_CANCELLATION a cancellation lets the waiting ones
 * go.
 */
int rt_barrier_cancellable(struct rt_thread *th, enum rt_state state, struct rt_caller caller);
/** How many barriers the team has passed, in earlier regions too. Only for a thread that is at none. */
static inline uint32_t rt_barriers_passed(const struct rt_team *team)
{
    /* In a team of two bar_gen may lag by one. */
    return team->nthreads == 2 && team->ways == 0 ? (uint32_t)(rt_load(team->meets) / 2)
                                                  : rt_load(team->bar_gen);
}
/**
 * Arrival at the join; the primary returns when all have arrived and all tasks are complete, others at once.
 */
void rt_join_arrive(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit);
/** Before a region of n threads. */
void rt_join_reset(struct rt_team *team, uint32_t n);
/** Have all n threads arrived? */
int rt_join_complete(struct rt_team *team, uint32_t n);
void rt_join_wait(struct rt_thread *th, struct rt_team *team);
/** 1 when deferred tasks of the team are not complete. */
int rt_team_has_tasks(struct rt_team *team);

#endif
