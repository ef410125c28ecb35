/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Whether a thread that a runtime's records name is the one that they were written of. After fork() the child
 * has the records of threads that stayed in its parent; a thread that it creates may get the stack of one of
 * those, and with it the pthread_t and the thread-local memory that tell threads apart.
 */
#ifndef INSPECT_SNAP_MEMBERS_H
#define INSPECT_SNAP_MEMBERS_H

#include "inspect/snapshot/snap.h"

/** Whether the runtime has created a thread. */
enum snap_created { SNAP_CREATED_UNKNOWN, SNAP_CREATED, SNAP_NOT_CREATED };

/** By the function that the thread began with and by the foot of its stack: of thread T, which by its row is
 * a worker of this runtime. */
enum snap_created snap_created(struct snap_run *run, const struct mdl_thread *t);
/** Finds the members of regions that no thread of this process is or will be, and what follows for those that
 *  are there. Once all rows of this runtime are known. */
void snap_gone(struct snap_run *run);

#endif
