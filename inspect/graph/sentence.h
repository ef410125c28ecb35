/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The sentences of the verdict, that a person can act on.
 */
#ifndef INSPECT_SENTENCE_H
#define INSPECT_SENTENCE_H

#include "inspect/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What keeps threads from ever going on: nodes each of which needs the next. A circle: the last needs the
 * first. Else the last can never come true by itself.
 */
struct finding {
    int *node;
    int count;
    bool circle;
    const char *doubt; /**< why it is only suspected, NULL: proved */
};
/** "Deadlock: ..." */
char *sentence_finding(insp_snapshot *snap, const struct graph *g, const struct finding *finding);
/** Who could give back a lock that its waiter holds itself: "only thread 3 (LWP 4243) still runs and could
 *  give it back". */
const char *sentence_giver(insp_snapshot *snap, const struct graph *g);
/** "task 3 (detach.cpp:15) waits for omp_fulfill_event, which any code may call", of a target task "for its
 *  device": of a task or a thread. */
const char *sentence_event(insp_snapshot *snap, const struct graph *g, int node);
/** "what LWP 7 does is not known", and the reason. */
const char *sentence_unknown(insp_snapshot *snap, int thread);
/** "who holds lock a, for which thread 2 waits, is not recorded; probably thread 3, which computes in f". */
const char *sentence_unrecorded(insp_snapshot *snap, const struct graph *g, int thread);
/** "Nothing is proved: LWP 7 waits in read ...": all wait, and something outside may end it. */
char *sentence_outside(insp_snapshot *snap, const struct graph *g);
/** What the process does when no thread is stuck. */
char *sentence_none(insp_snapshot *snap, const struct graph *g);

#ifdef __cplusplus
}
#endif
#endif
