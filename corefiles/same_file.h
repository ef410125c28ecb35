/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Is a file here the one that a module of the target was mapped from?
 */
#ifndef COREFILES_SAME_FILE_H
#define COREFILES_SAME_FILE_H

#include "corefiles/modules.h"

/**
 * By the build-id. Without one: by what of the file's first page is in memory, and by the dynamic section but
 * for the addresses that the loader has put there. That proves it only of a live process that began after
 * the file was last changed. *why: what keeps it from being sure (CF_CHECK_UNSURE, CF_CHECK_ASSUMED).
 */
enum cf_check cf_same_file(struct cf_target *t, const struct cf_mod *m, int fd, const struct cf_elf *elf,
                           const char **why);
/** M has no build-id: copies what cf_same_file reads of a process' memory, for when that goes on
 *  (cf_pages_fetch). */
void cf_same_file_keep(struct cf_target *t, const struct cf_mod *m);

#endif
