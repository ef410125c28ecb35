/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where the members of structures lie, as a compiler has laid them out.
 */
#ifndef COREFILES_DEBUGINFO_LAYOUT_H
#define COREFILES_DEBUGINFO_LAYOUT_H

#include <stdio.h>

#include "corefiles/debuginfo/debuginfo.h"

/**
 * Prints the structure, class or union NAME, or the one that a typedef of that name names: "NAME SIZE", then
 * for each member that has an offset "  OFFSET SIZE MEMBER TYPE". A member without a name of its own is "-",
 * one whose type has none or cannot be read has the type "-", an unknown size is "?". Of several definitions
 * the first one counts. 1: there is none.
 */
int debuginfo_layout(struct debuginfo *of, const char *name, FILE *out) DEBUGINFO_WARN_UNUSED;

#endif
