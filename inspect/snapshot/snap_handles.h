/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The handles of regions and tasks, each thing once.
 */
#ifndef INSPECT_SNAP_HANDLES_H
#define INSPECT_SNAP_HANDLES_H

#include "inspect/snapshot/snap.h"

enum handle_sort { HANDLE_REGION, HANDLE_TASK };
/**
 * Adds HANDLE, which the set then owns (a second handle of a thing it has is released). 1: new, 0: known,
 * negative: not possible (released too).
 */
int handle_set_add(struct snap_run *run, enum handle_sort sort, void *handle) INSP_WARN_UNUSED;
/** Index of the thing that HANDLE denotes, -1. */
int handle_set_find(struct snap_run *run, enum handle_sort sort, void *handle) INSP_WARN_UNUSED;
/** Id of the thing that HANDLE denotes, 0; releases HANDLE. NULL is allowed. */
uint64_t handle_set_id(struct snap_run *run, enum handle_sort sort, void *handle) INSP_WARN_UNUSED;
/** Gives ids where the library has none: 1, 2, ... in the order of its compare function. */
void handle_set_number(struct snap_run *run, enum handle_sort sort);
void handle_set_free(struct snap_run *run, enum handle_sort sort);

#endif
