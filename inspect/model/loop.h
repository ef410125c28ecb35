/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The snapshot's row of a loop: which iterations one task has, and what is known of the whole. How rows are
 * kept: model.h.
 */
#ifndef INSPECT_LOOP_H
#define INSPECT_LOOP_H

#include "inspect/model/thread.h"

#ifdef __cplusplus
extern "C" {
#endif

enum mdl_schedule {
    MDL_SCHEDULE_UNKNOWN,
    MDL_SCHEDULE_STATIC,
    MDL_SCHEDULE_DYNAMIC,
    MDL_SCHEDULE_GUIDED,
    MDL_SCHEDULE_SECTIONS, /**< no loop: its "iterations" are sections */
    MDL_SCHEDULE_TASKLOOP,
    MDL_SCHEDULES
};

/** Who has said what a task has in hand. */
enum mdl_loop_source {
    MDL_LOOP_OF_RUNTIME,
    MDL_LOOP_OF_FRAME, /**< the variables that the compiler has made for the loop, in the task's frame */
    MDL_LOOP_SOURCES
};

/** Bits of mdl_loop.flags, of ompdx_loop_flags_t. */
enum {
    MDL_LOOP_SHARES = 1,
    MDL_LOOP_ORDERED = 2,
    MDL_LOOP_DOACROSS = 4,
    MDL_LOOP_CHUNKED = 8,
    MDL_LOOP_OR_SECTIONS = 16
};

/**
 * The part that a task has in a loop. Numbers are those with which its compiler counts (ompdx_loop_info_t).
 * What is not known is in `unknown` by its JSON name: schedule, iterations, step, chunk, left, has, at,
 * share, turn.
 */
struct mdl_loop {
    int runtime;
    uint64_t region, task;
    int64_t lwp; /**< 0 none */
    int thread_num;
    uint64_t id, sequence; /**< as in ompdx_loop_info_t; 0 not known */
    enum mdl_schedule schedule;
    unsigned flags;
    uint64_t iterations, chunk, left, share;
    int64_t first, step, next;
    enum mdl_loop_source source;
    uint64_t has_count; /**< iterations in hand, 0 none */
    int64_t has_first, has_last;
    int64_t at;        /**< of those, the one that is being executed */
    int64_t turn;      /**< ordered */
    int64_t waits_for; /**< doacross: what it waits for, if `waits` */
    bool waits;
    struct mdl_unknown *unknown;
    int unknown_count;
};

#ifdef __cplusplus
}
#endif
#endif
