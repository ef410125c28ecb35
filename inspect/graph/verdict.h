/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From the wait-for graph to the list of edges, and to the one sentence that a person can act on.
 */
#ifndef INSPECT_VERDICT_H
#define INSPECT_VERDICT_H

#include "inspect/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fills snap->edges and snap->verdict from the rest of the snapshot. */
void verdict_make(insp_snapshot *snap);

/** Who waits for whom, as plain rows: snap->edges. */
void edges_list(insp_snapshot *snap, const struct graph *g);
/** The edge from one node to another, added when the list has none; -1 out of memory. */
int edges_between(insp_snapshot *snap, const struct graph *g, int from, int to);

/**
 * What keeps threads from ever going on: nodes each of which needs the next. A circle: the last needs the
 * first. Else the last can never come true by itself.
 */
struct story {
    int *node;
    int count;
    bool circle;
    const char *doubt; /**< why it is only suspected, NULL: proved */
};
/** "Deadlock: ..." */
char *sentence_story(insp_snapshot *snap, const struct graph *g, const struct story *story);
/** Who could give back a lock that its waiter holds itself: "only thread 3 (LWP 4243) still runs and could
 *  give it back". */
const char *sentence_giver(insp_snapshot *snap, const struct graph *g);
/** What goes on where nobody is stuck. */
char *sentence_none(insp_snapshot *snap, const struct graph *g);

#ifdef __cplusplus
}
#endif
#endif
