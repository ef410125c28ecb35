/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory of the target, also what a core has left to the mapped files.
 */
#ifndef COREFILES_READ_H
#define COREFILES_READ_H

#include "corefiles/target.h"

int cf_read(struct cf_target *t, uint64_t addr, void *buf, uint64_t size) CF_WARN_UNUSED;

#endif
