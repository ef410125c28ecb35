/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Two snapshots of one process: what has changed, and what has not.
 */
#ifndef INSPECT_MOTION_H
#define INSPECT_MOTION_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum motion {
    MOTION_NEW,   /**< only in the second */
    MOTION_ENDED, /**< only in the first */
    MOTION_MOVES, /**< does something else, or is elsewhere */
    MOTION_WAITS, /**< waits for the same as before, in OpenMP or elsewhere */
    MOTION_WORKS, /**< its whole stack is the same, but it has used processor time, or its registers differ */
    MOTION_SPINS, /**< it has run, and nothing but where it is in its function has changed */
    MOTION_STANDS,  /**< the same stack, and nothing says that it has run since */
    MOTION_UNKNOWN, /**< without stacks no more can be said */
    MOTION_IDLE
};

struct motion_row {
    const struct mdl_thread *before, *after; /**< NULL in one of them */
    enum motion motion;
};

struct motions {
    struct motion_row *rows; /**< in the order of the second, then those that have ended */
    int count, tasks_ended, tasks_new, tasks_same, regions_ended, regions_new, regions_same;
};

/** Has it got on: does it something else, is it elsewhere, or has it computed something? Time that a thread
 *  spends in a waiting loop, the runtime's or its own, is no progress. */
bool motion_is_progress(enum motion motion);
/** Compares; rows live in A. False out of memory. */
bool motion_compare(const insp_snapshot *before, const insp_snapshot *after, struct arena *a,
                    struct motions *ret) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
