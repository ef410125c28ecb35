/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Bodies of constructs whose symbol does not say whose they are (clang up to 17): their functions.
 */
#ifndef INSPECT_SNAP_BODIES_H
#define INSPECT_SNAP_BODIES_H

#include "inspect/base/hash.h"
#include "inspect/snapshot/snap.h"

/** The functions of regions and tasks that were made in such a body, from those around them; once the
 * runtime's regions and those of its tasks that are wanted are in their lists. */
void snap_construct_functions(struct snap_run *run);

/** The functions of a snapshot's bodies by where these begin, listed when they are first asked for. */
struct snap_functions {
    struct hash by_entry;
    bool listed;
};

/** The frames of a thread's stack that are one body become one, with the function of the region or task; and
 * the caller of a wrapper that waits is found. */
void snap_bodies(insp_session *s, insp_snapshot *snap, struct snap_functions *known, struct mdl_thread *t);

/** Is it a function that waits for the one that called it: a constructor, a destructor, or one of the C++
 *  library's? */
bool snap_is_wrapper(const struct mdl_frame *f);
/** Does T wait in such a function? By its frames, as far as they have been taken. */
bool snap_waits_in_wrapper(const struct mdl_thread *t);

#endif
