/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a snapshot says of each runtime, and of those that it cannot show.
 */
#ifndef INSPECT_SNAP_ABOUT_H
#define INSPECT_SNAP_ABOUT_H

#include "inspect/snapshot/snap.h"

/** The row of this runtime: what it is, how its structures are known, what can be answered of it. */
void snap_describe(struct snap_run *run, struct mdl_runtime *ret);

/** The modules that could not be shown, of those that are runtimes. */
struct snap_absent {
    int found;   /**< runtimes, shown or not */
    int waiting; /**< those that have not started */
    int refused; /**< those that the OMPD library does not know */
};
/** A runtime without our note that the OMPD library does not explain. WHY: the library's reason, a clause. */
void snap_tell_refused(insp_snapshot *snap, const struct insp_known_module *module, const char *why,
                       bool alone);
/** The sentence when no runtime could be shown. */
void snap_tell_nothing(insp_session *s, insp_snapshot *snap, const struct snap_absent *absent);

#endif
