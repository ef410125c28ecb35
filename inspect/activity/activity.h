/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What every thread does: mdl_thread.activity.
 *
 * The evidence, in this order:
 *   1. The OMPD library: the thread waits in OpenMP, or is idle there. Nothing else is asked then.
 *   2. The kernel's word for a live thread: stopped, traced, ended, or waiting within the kernel.
 *   3. The registers at the stop: whether it is in a system call, and in which, with its arguments.
 *   4. Its stack, as far as the user's code: a call of MPI, else the function of libc's that waits. For
 *      semaphores, conditions and joins look alike to the kernel.
 *   5. The object itself, one read: who holds a mutex.
 * What none of them says is not known, and the reason is given.
 */
#ifndef INSPECT_ACTIVITY_H
#define INSPECT_ACTIVITY_H

#include "inspect/frames/places.h"
#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Does the thread wait or idle in OpenMP, so that nothing more is asked of it? */
bool activity_is_openmp(const struct mdl_thread *t);
/** Fills the activities of all threads, whose stacks have been taken. */
void activity_find(insp_session *s, insp_snapshot *snap, struct places *places);

#ifdef __cplusplus
}
#endif
#endif
