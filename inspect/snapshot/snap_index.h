/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sorted lists of the threads.
 */
#ifndef INSPECT_SNAP_INDEX_H
#define INSPECT_SNAP_INDEX_H

#include "inspect/snapshot/snap.h"

/** The first key of MAJOR whose minor is MINOR or more; NULL none. */
const struct snap_key *snap_key_first(const struct snap_index *index, uint64_t major, uint64_t minor);
/** Room for ROWS keys; NULL out of memory, then the index is empty. */
struct snap_key *snap_index_room(struct arena *a, struct snap_index *index, int rows);
void snap_index_sort(struct snap_index *index);
/** snap->by_tid: by the thread's number in the target, those whose pthread_t the host does not know first. */
void snap_index_tids(insp_snapshot *snap);
/** run->members: by region and number in it. */
void snap_index_members(struct snap_run *run);
/** By the runtime's own id of the thread. */
void snap_index_serials(struct snap_run *run, struct snap_index *ret);
/** By the object waited for and the kind of wait. */
void snap_index_waits(insp_snapshot *snap, struct snap_index *ret);

#endif
