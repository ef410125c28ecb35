/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the readers share.
 */
#ifndef COREFILES_DEBUGINFO_SOURCE_NAME_H
#define COREFILES_DEBUGINFO_SOURCE_NAME_H

#include "corefiles/debuginfo/debuginfo.h"

/** NAME of a source file as the compiler was given it, as debuggers show it: both libraries put the directory of the
 *  compilation before it. */
const char *source_name(const struct die *unit, const char *name);

#endif
