/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Builds the graph: the clauses of threads and regions, and the fixed points.
 */
#ifndef INSPECT_GRAPH_BUILD_H
#define INSPECT_GRAPH_BUILD_H

#include "inspect/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/** False when out of memory. graph_free in any case. */
bool graph_build(struct graph *g, const insp_snapshot *snap) INSP_WARN_UNUSED;
/** The same on the assumption that no thread which is not an OpenMP thread ever starts a region. */
bool graph_build_closed(struct graph *g, const insp_snapshot *snap) INSP_WARN_UNUSED;
/** The same, where the thread that probably holds what another waits for is taken to hold it. */
bool graph_build_probable(struct graph *g, const insp_snapshot *snap) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
