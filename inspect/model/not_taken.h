/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Why a task that is ready is executed by nobody.
 */
#ifndef INSPECT_MODEL_NOT_TAKEN_H
#define INSPECT_MODEL_NOT_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum mdl_not_taken_reason {
    MDL_NOT_TAKEN_NONE, /**< it is not ready, or nobody asked */
    MDL_NOT_TAKEN_UNKNOWN,
    MDL_NOT_TAKEN_FREE,        /**< nothing that is known keeps a thread from taking it */
    MDL_NOT_TAKEN_BUSY,        /**< all threads of its team do something else */
    MDL_NOT_TAKEN_CONSTRAINT,  /**< those that wait may take only descendants of the tied task they wait in */
    MDL_NOT_TAKEN_PRIORITY,    /**< a thread is free, and takes a ready task of a higher priority first */
    MDL_NOT_TAKEN_SYSTEM_CALL, /**< all threads of its team are in system calls, none of them for OpenMP */
    MDL_NOT_TAKEN_REASONS
};

/** What the threads of a task's team do that are not free for it. */
struct mdl_team_doing {
    int computes;
    int system_call; /**< outside of OpenMP */
    int waits;       /**< in OpenMP, for what is no task: a lock, a critical region, its turn */
    int inside;      /**< in a region within the task's */
    int others;      /**< what they do is not known as exactly */
};

struct mdl_not_taken {
    enum mdl_not_taken_reason reason;
    /** FREE, PRIORITY: who may take it; CONSTRAINT: who may not; BUSY: the only thread of the team;
     *  SYSTEM_CALL: the first of them; else 0. */
    int64_t lwp;
    uint64_t
        task; /**< CONSTRAINT: the tied task in which that thread waits; PRIORITY: the one that is first */
    struct mdl_team_doing team;
    int before;         /**< ready tasks of the team with a higher priority; -1: priorities are not known */
    int queued;         /**< ready tasks that were queued as it was: by its creator, or by priority */
    int64_t queue_full; /**< with so many in a queue its thread executes further ones itself; 0 not known */
};

#ifdef __cplusplus
}
#endif
#endif
