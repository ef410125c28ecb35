/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Temporary files for unpacked cores. They never have a name that a signal could leave behind.
 */
#ifndef COREFILES_TEMPORARY_H
#define COREFILES_TEMPORARY_H

#include "corefiles/corefiles.h"

/** Bytes of a file that is large: to free one takes the kernel some 0.1 s per GB. */
#define CF_TEMPORARY_LARGE (UINT64_C(2) << 30)

/** An open temporary file in TMPDIR; -1 with *error. */
int cf_temporary(char **error) CF_WARN_UNUSED;
/**
 * Makes another process keep FD open until this one has ended. Whoever closes a large file last waits while
 * the kernel frees it, and a user who presses Ctrl-C shall not. Without effect when no process can be made.
 */
void cf_temporary_free_later(int fd);

#endif
