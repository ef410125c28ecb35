/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What can end the wait of one thread, by what it does: OpenMP's part is told by its wait and its state, all
 * else by its activity.
 */
#ifndef INSPECT_GRAPH_ACTIVITY_H
#define INSPECT_GRAPH_ACTIVITY_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum graph_way {
    GRAPH_BY_ITSELF, /**< computes, sleeps for a time, or waits no longer than a time */
    GRAPH_OPENMP,    /**< waits in OpenMP, or is idle there: the clause of the wait says it */
    GRAPH_OWNER,     /**< one thread of this process: who holds the lock, or is joined */
    GRAPH_NEVER,     /**< nothing: the owner has ended, or the thread itself */
    GRAPH_OUTSIDE,   /**< what the graph has not: another process, a device, a signal, any thread */
    GRAPH_NOT_KNOWN
};
enum graph_way graph_way(const struct mdl_thread *thread);

/** Waits for a thread or task of this process: such a wait is part of the graph. */
bool graph_blocked(const struct mdl_thread *thread);
/** By GRAPH_OWNER or GRAPH_NEVER: for a lock, not for the end of a thread. */
bool graph_wants_lock(const struct mdl_thread *thread);
/** Waits for a lock that was held when this process was forked, or perhaps so: nobody here has it. The thread
 *  that has forked may give it back for the one that had it, as handlers of pthread_atfork do. */
bool graph_left_behind(const struct mdl_thread *thread);
/** What it waited for has come, and it has not gone on yet. */
bool graph_released(const struct mdl_thread *thread);
/** Computes: of no other thread it may be said that it runs. */
bool graph_runs(const struct mdl_thread *thread);

#ifdef __cplusplus
}
#endif
#endif
