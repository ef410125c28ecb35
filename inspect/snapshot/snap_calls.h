/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where the program has called the runtime to make a region, when the runtime does not record that: from the
 * stack of the thread that made it. With it a worker's stack goes on in that one.
 */
#ifndef INSPECT_SNAP_CALLS_H
#define INSPECT_SNAP_CALLS_H

#include "inspect/snapshot/snap.h"

/** Sets `codeptr` of the regions that T has made and is in. T's frames are all of its stack, as they were
 *  unwound. */
void snap_calls(insp_session *s, insp_snapshot *snap, const struct mdl_thread *t);
/** Says of each region whose call is still not known why that is. Reads nothing. */
void snap_calls_unknown(insp_snapshot *snap);

#endif
