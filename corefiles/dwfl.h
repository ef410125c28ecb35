/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The session of libdwfl: modules, symbols, call frame information. It sees no DIE.
 */
#ifndef COREFILES_DWFL_H
#define COREFILES_DWFL_H

#include "corefiles/target.h"

struct cf_mod;

/** The session with all modules, whose files are not opened yet; NULL out of memory. */
struct Dwfl *cf_dwfl(struct cf_target *t);
/** M in it, whose file is looked for now; NULL there is none. */
struct Dwfl_Module *cf_dwfl_module(struct cf_mod *m);

#endif
