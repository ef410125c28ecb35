/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Compressed cores.
 */
#ifndef COREFILES_DECOMPRESS_H
#define COREFILES_DECOMPRESS_H

#include "corefiles/target.h"

enum { CF_FREE_PART = 20 };                 /**< one part of so many of a file system is kept free */
#define CF_UNPACKED_MAX (UINT64_C(1) << 40) /**< bytes of an unpacked core */

/** FD if it is not compressed, else a temporary file of the contents. Negative: *error. *cut: the file ends
 *  early. */
int cf_decompress(struct cf_target *t, int fd, bool *cut, char **error) CF_WARN_UNUSED;

#endif
