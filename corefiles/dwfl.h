/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The session of libdwfl: modules, symbols, call frame information. It sees no DIE.
 */
#ifndef COREFILES_DWFL_H
#define COREFILES_DWFL_H

#include "corefiles/target.h"

/** The session with all modules that have files; NULL out of memory. */
struct Dwfl *cf_dwfl(struct cf_target *t);

#endif
