/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the OMPD library's numbers for states and waits mean.
 */
#ifndef INSPECT_SNAP_STATES_H
#define INSPECT_SNAP_STATES_H

#include "inspect/snapshot/snap.h"

/** What a thread waits for, by ompdx_wait_kind_t, or by ompt_state_t where that is 0. */
enum mdl_wait_kind snap_wait_kind(int wait_kind, int64_t state);
/** Why a mutex's owner may be another thread, by ompdx_thread_info_t.owner_uncertain; NULL: it is not. */
const char *snap_owner_doubt(uint64_t uncertain);
enum mdl_barrier snap_barrier_kind(int64_t state);
/** Fills the state of a thread: unknown for a number that neither the standard nor the library has a name
 *  for. */
void snap_state(struct snap_run *run, int64_t state, struct mdl_thread *t);

#endif
