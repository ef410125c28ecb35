/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Why a task that is ready is executed by nobody.
 */
#ifndef INSPECT_NOT_TAKEN_H
#define INSPECT_NOT_TAKEN_H

#include "inspect/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fills not_taken of the ready tasks of SNAP, of which G is the graph. */
void not_taken_find(struct insp_snapshot *snap, const struct graph *g);

#ifdef __cplusplus
}
#endif
#endif
