/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Two snapshots of one process: what has changed, and what has not.
 */
#ifndef INSPECT_WATCH_MOTION_H
#define INSPECT_WATCH_MOTION_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum watch_motion {
    WATCH_NEW,    /**< only in the second */
    WATCH_ENDED,  /**< only in the first */
    WATCH_MOVES,  /**< does something else, or is elsewhere */
    WATCH_WAITS,  /**< waits for the same as before, in OpenMP or elsewhere */
    WATCH_WORKS,  /**< its whole stack is the same, but it has used processor time, or its registers differ */
    WATCH_STANDS, /**< the same stack, and nothing says that it has run since */
    WATCH_UNKNOWN, /**< without stacks no more can be said */
    WATCH_IDLE
};

struct watch_row {
    const struct mdl_thread *before, *after; /**< NULL in one of them */
    enum watch_motion motion;
};

struct watch {
    struct watch_row *rows; /**< in the order of the second, then those that have ended */
    int count, tasks_ended, tasks_new, tasks_same, regions_ended, regions_new, regions_same;
};

/** Compares; rows live in A. False out of memory. */
bool watch_compare(const insp_snapshot *before, const insp_snapshot *after, struct arena *a,
                   struct watch *ret) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
