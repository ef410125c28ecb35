/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which DIEs are around an address, or around a DIE.
 */
#ifndef COREFILES_DEBUGINFO_SCOPES_H
#define COREFILES_DEBUGINFO_SCOPES_H

#include "corefiles/debuginfo/debuginfo.h"

/** The functions of one unit by their addresses; they are found when they are asked for. */
struct debuginfo_functions;
/** NULL: out of memory. */
struct debuginfo_functions *debuginfo_functions_new(void) DEBUGINFO_WARN_UNUSED;
/** F may be NULL. */
void debuginfo_functions_free(struct debuginfo_functions *f);
/** The unit has more entries than are looked at: functions may be missing. */
bool debuginfo_functions_cut(const struct debuginfo_functions *f);

/** *ret, malloc'ed: the innermost block or function at PC in UNIT, whose functions are F, then what is
 *  around it, up to the function that is not inlined. Their number; 0 none, *ret untouched. */
int debuginfo_scopes_at(const struct die *unit, struct debuginfo_functions *f, uint64_t pc,
                        struct die **ret) DEBUGINFO_WARN_UNUSED;
/** *ret, malloc'ed: what is around DIE, innermost first, up to the root of its unit. Their number; 0 none,
 *  *ret untouched. */
int debuginfo_scopes_of(const struct die *die, struct die **ret) DEBUGINFO_WARN_UNUSED;

#endif
