/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Files are opened here and nowhere else.
 */
#ifndef COREFILES_FILE_H
#define COREFILES_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "corefiles/corefiles.h"

/** Opens what the user has named: a regular file, read-only. -1 with errno, EINVAL: it is none. Also what the
 *  kernel names: /proc/PID/exe and /proc/PID/map_files. */
int cf_open_own(const char *path) CF_WARN_UNUSED;
/** The same for what a target names, in ROOT (cf_open_folder), which neither PATH nor a link leads out of.
 *  errno EXDEV: a link to what is not in ROOT. The only way to open such a file: everything else opens it
 *  unchecked. */
int cf_open_file(int root, const char *path) CF_WARN_UNUSED;
/** Why openat2, without which cf_open_file cannot do this, is refused; 0 it is not. */
int cf_open_refused(void);
/** A directory, to look in only. */
int cf_open_folder(const char *path) CF_WARN_UNUSED;
/** Reads exactly SIZE bytes at OFFSET. */
bool cf_pread(int fd, void *buf, uint64_t size, uint64_t offset) CF_WARN_UNUSED;

#endif
