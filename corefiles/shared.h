/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Files that the processes of one node have in common (struct cf_shared_files): opened by one of them, and
 * unpacked by one.
 */
#ifndef COREFILES_SHARED_H
#define COREFILES_SHARED_H

#include "corefiles/target.h"

/** cf_open_file. */
int cf_shared_open(const struct cf_target *t, int root, const char *path) CF_WARN_UNUSED;
/** Takes FD, an open file, and returns it, or in its place the same file with its sections unpacked. */
int cf_shared_unpacked(const struct cf_target *t, int fd) CF_WARN_UNUSED;

#endif
