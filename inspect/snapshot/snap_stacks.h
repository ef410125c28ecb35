/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Call stacks, and whether waiting threads are asleep.
 */
#ifndef INSPECT_SNAP_STACKS_H
#define INSPECT_SNAP_STACKS_H

#include "inspect/snapshot/snap.h"

/** Whether waiting threads sleep in the kernel, where the verdict depends on it; call stacks when they are
 *  wanted. False: cancelled. */
bool snap_stacks(insp_session *s, insp_snapshot *snap);

#endif
