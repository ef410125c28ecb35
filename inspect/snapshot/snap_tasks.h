/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks.
 */
#ifndef INSPECT_SNAP_TASKS_H
#define INSPECT_SNAP_TASKS_H

#include "inspect/snapshot/snap.h"

/** The handles of all tasks, in run->tasks. */
void snap_collect_tasks(struct snap_run *run);
/** A row for each of them. */
void snap_tasks(struct snap_run *run);

#endif
