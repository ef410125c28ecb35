/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The list of edges: which threads and tasks wait for which.
 */
#ifndef INSPECT_EDGES_H
#define INSPECT_EDGES_H

#include "inspect/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What each thread and task waits for, as plain rows: snap->edges. */
void edges_list(insp_snapshot *snap, const struct graph *g);
/** The edge from one node to another, added when the list has none; -1 out of memory. */
int edges_between(insp_snapshot *snap, const struct graph *g, int from, int to);

#ifdef __cplusplus
}
#endif
#endif
