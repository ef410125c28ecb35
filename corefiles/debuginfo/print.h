/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * All that a reader tells of a file, so that two of them can be compared and be tried on damaged files.
 */
#ifndef COREFILES_DEBUGINFO_PRINT_H
#define COREFILES_DEBUGINFO_PRINT_H

#include <stdio.h>

#include "corefiles/debuginfo/debuginfo.h"

/** A line for each DIE: depth (by blanks), offset, tag, name, then what else there is. */
void debuginfo_print(struct debuginfo *of, FILE *out);

#endif
