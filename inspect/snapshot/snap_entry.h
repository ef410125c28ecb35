/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The code of a region, where the runtime does not record it.
 */
#ifndef INSPECT_SNAP_ENTRY_H
#define INSPECT_SNAP_ENTRY_H

#include "inspect/snapshot/snap.h"

/** Finds the function of REGION on the stack of one of its members, and its place; or says why it is not
 *  known. All regions and their members must be known. */
void snap_entry(struct snap_run *run, struct mdl_region *region);

#endif
