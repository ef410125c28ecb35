/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Barriers, and the owners and names of what is waited for.
 */
#ifndef INSPECT_SNAP_WAITS_H
#define INSPECT_SNAP_WAITS_H

#include "inspect/snapshot/snap.h"

/** Who has arrived at each barrier at which a thread of this runtime waits. */
void snap_barriers(struct snap_run *run);
/** Owners and names of what is waited for, of all runtimes. */
void snap_finish_waits(insp_snapshot *snap, struct places *places);

#endif
