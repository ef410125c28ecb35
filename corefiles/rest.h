/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the kernel's own files say of threads that nobody has stopped: whether they are where they were.
 */
#ifndef COREFILES_REST_H
#define COREFILES_REST_H

#include "corefiles/target.h"

/** One moment of all threads of the target. */
struct cf_moment;
/** NULL out of memory. Freed by free(). */
struct cf_moment *cf_moment(struct cf_target *t);
/** The threads that have gone on since BEFORE, malloc'ed, *COUNT of them: another call, another count of
 *  switches, or processor time. NULL: out of memory. */
int64_t *cf_moved_since(struct cf_target *t, const struct cf_moment *before, int *count);

#endif
