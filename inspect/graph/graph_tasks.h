/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The clauses of tasks, and of the threads that wait for tasks.
 */
#ifndef INSPECT_GRAPH_TASKS_H
#define INSPECT_GRAPH_TASKS_H

#include "inspect/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Adds them all. */
void graph_tasks(struct graph *g);

#ifdef __cplusplus
}
#endif
#endif
