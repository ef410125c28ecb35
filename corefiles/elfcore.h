/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * An ELF core.
 */
#ifndef COREFILES_ELFCORE_H
#define COREFILES_ELFCORE_H

#include "corefiles/target.h"

/** Fills segments, mappings, threads and what else the core at t->core_fd tells. Negative: *error. */
int cf_core_load(struct cf_target *t, char **error) CF_WARN_UNUSED;

#endif
