/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a thread holds and where it is bound, as its runtime has recorded that.
 */
#ifndef INSPECT_SNAP_HELD_H
#define INSPECT_SNAP_HELD_H

#include "inspect/snapshot/snap.h"

/** Fills held, place and bind of T, whose handle is HANDLE; what is not recorded goes to its `unknown`. */
void snap_held(struct snap_run *run, struct mdl_thread *t, ompd_thread_handle_t *handle);

#endif
