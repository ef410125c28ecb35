/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Taking a snapshot: the arguments and local variables of a frame.
 */
#ifndef INSPECT_SNAP_LOCALS_H
#define INSPECT_SNAP_LOCALS_H

#include "inspect/model/model.h"
#include "inspect/target/session.h"

/** Fills the variables of ROW, which the host has as frame number FRAME of thread LWP. */
void snap_locals(insp_session *s, insp_snapshot *snap, int64_t lwp, uint32_t frame, struct mdl_frame *row);

#endif
