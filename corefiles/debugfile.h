/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The debug information of a module, and the separate files that have it.
 */
#ifndef COREFILES_DEBUGFILE_H
#define COREFILES_DEBUGFILE_H

#include "corefiles/target.h"

struct cf_debugfile;
struct cf_mod;
struct debuginfo;

/** Debug files without a build-id are read whole to check their CRC: up to this many bytes. */
enum { CF_CRC_MAX = 1 << 30 };

/** The separate debug file of M, by build-id or by LINK with its CRC; -1 none. */
int cf_debug_file(struct cf_mod *m, const char *link, uint32_t crc) CF_WARN_UNUSED;
/** The debug information of M, which is in libdwfl's session (cf_dwfl_module), with its alternate file,
 *  opened once; NULL none. *bias: an address in the process minus the same address in the file. */
struct debuginfo *cf_debuginfo(struct cf_mod *m, uint64_t *bias);
void cf_debugfile_free(struct cf_debugfile *debug);

#endif
