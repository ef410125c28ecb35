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
/** The edges from each of COUNT nodes to the next, in a CIRCLE also from the last to the first; added where
 *  the list has none. Returns how many, which are in RET: fewer out of memory. */
int edges_along(insp_snapshot *snap, const struct graph *g, const int *node, int count, bool circle,
                int *ret);

#ifdef __cplusplus
}
#endif
#endif
