/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which DIEs are around an address, or around a DIE.
 */
#ifndef COREFILES_DEBUGINFO_SCOPES_H
#define COREFILES_DEBUGINFO_SCOPES_H

#include "corefiles/debuginfo/debuginfo.h"

/** *ret, malloc'ed: the innermost block or function at PC in UNIT, then what is around it, up to the function
 *  that is not inlined. Their number; 0 none, *ret untouched. */
int debuginfo_scopes_at(const struct die *unit, uint64_t pc, struct die **ret) DEBUGINFO_WARN_UNUSED;
/** *ret, malloc'ed: what is around DIE, innermost first, up to the root of its unit. Their number; 0 none,
 *  *ret untouched. */
int debuginfo_scopes_of(const struct die *die, struct die **ret) DEBUGINFO_WARN_UNUSED;

#endif
