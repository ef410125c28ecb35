/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers for people, in place of ids that are no more than addresses.
 */
#ifndef INSPECT_SNAP_IDS_H
#define INSPECT_SNAP_IDS_H

#include "inspect/snapshot/snap.h"

/**
 * Numbers the regions, tasks and taskgroups of a runtime that has no ids of its own
 * (mdl_runtime.ids_of_stop), each from 1 on, wherever an id is in the snapshot. Two snapshots of one stop
 * give the same numbers: regions by level, region around, and thread number of the creator; tasks by
 * region, implicit ones first, thread number; at last by address. Regions and tasks must have been collected.
 */
void snap_number(struct snap_run *run);

#endif
