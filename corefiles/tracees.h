/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads that are seized and have not stopped.
 */
#ifndef COREFILES_TRACEES_H
#define COREFILES_TRACEES_H

#include "corefiles/target.h"

/** Thread TID is seized and has not stopped: it is let go as soon as it does. */
void cf_tracee_leave(struct cf_target *t, int64_t tid);
/** True when TID is such a thread: it is the caller's again, and still seized. */
bool cf_tracee_take(int64_t tid) CF_WARN_UNUSED;

#endif
