/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Worksharing loops and ordered regions.
 */
#ifndef RT_LOOP_H
#define RT_LOOP_H

#include "event.h"
#include "task.h"
#include "thread.h"
#include "workshare.h"

/** sched_type (docs/abi/kmpc.md 1.6) beside those of layout.def; the ordered kinds are 32 more. */
enum {
    RT_SCHED_RUNTIME = 37,
    RT_SCHED_AUTO = 38,
    RT_SCHED_ORDERED = 32,
    RT_SCHED_MONOTONIC = 0x20000000,
    RT_SCHED_NONMONOTONIC = 0x40000000,
    RT_SCHED_BY_CHUNK =
        0x10000000, /**< ours, with an ordered kind: the turn passes by chunks, as gcc wants it */
};
/**
 * Starts this thread's part of a loop of `trip` iterations, all in logical iterations 0 .. trip - 1. Every
 * thread of the team calls it. kind is a sched_type with modifiers; chunk 0 is the default. Without MONOTONIC
 * a dynamic loop may be stolen from if NONMONOTONIC is given.
 */
void rt_loop_begin(struct rt_thread *th, uint32_t kind, uint64_t trip, uint64_t chunk);
/** Next chunk in logical iterations [*first, *last]; 0 = none left, and the thread has left the loop. */
int rt_loop_next(struct rt_thread *th, uint64_t *first, uint64_t *last, int *is_last);
/** Leaves a loop before rt_loop_next has said 0 (cancellation); does nothing after that. */
void rt_loop_leave(struct rt_thread *th);
void rt_loop_iteration_done(struct rt_thread *th);
/** Kind of the current loop, for tools. */
static inline uint32_t rt_loop_work_kind(const struct rt_thread *th)
{
    switch (th->implicit->loop_kind) {
    case RT_SCHED_STATIC:
    case RT_SCHED_STATIC_CHUNKED:
        return RT_WORK_LOOP_STATIC;
    case RT_SCHED_DYNAMIC:
        return RT_WORK_LOOP_DYNAMIC;
    case RT_SCHED_GUIDED:
        return RT_WORK_LOOP_GUIDED;
    default:
        return RT_WORK_LOOP_OTHER;
    }
}
/** Room for the words of members' shares for the team's size; by the primary, before the region. */
void rt_loop_ranges(struct rt_team *team);
void rt_ordered_begin(struct rt_thread *th, struct rt_caller caller);
void rt_ordered_end(struct rt_thread *th, struct rt_caller caller);

#endif
