/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions.
 */
#ifndef INSPECT_SNAP_REGIONS_H
#define INSPECT_SNAP_REGIONS_H

#include "inspect/snapshot/snap.h"

/** The handles of all regions, in run->regions. */
void snap_collect_regions(struct snap_run *run);
/** A row for each of them. */
void snap_regions(struct snap_run *run);

#endif
