/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads: the host's, and what a runtime says of them.
 */
#ifndef INSPECT_SNAP_THREADS_H
#define INSPECT_SNAP_THREADS_H

#include "inspect/snapshot/snap.h"

/** The threads that the host lists. */
void snap_host_threads(insp_session *s, insp_snapshot *snap);
/** Asks this runtime for a handle of each of them. */
void snap_thread_handles(struct snap_run *run);
/** Fills the rows of those that have one. */
void snap_threads(struct snap_run *run);
/** Is the host's thread with that pthread_t another than the one that the runtime means? */
bool snap_is_stranger(const insp_snapshot *snap, uint64_t pthread);
/** The lwp of the host's thread that the runtime names so; 0 when the host lists none. */
int64_t snap_lwp(const insp_snapshot *snap, uint64_t pthread, int64_t tid);
/** The same for a thread handle; releases it. */
int64_t snap_handle_lwp(struct snap_run *run, ompd_thread_handle_t *thread);

#endif
