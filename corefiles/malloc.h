/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * glibc's malloc.
 */
#ifndef COREFILES_MALLOC_H
#define COREFILES_MALLOC_H

#include "corefiles/target.h"

/** How many objects of SIZE bytes lie at ADDR for certain: 1 if nothing is known. *several: there is room for
 * more than
 *  malloc's rounding explains. */
uint64_t cf_allocated_count(struct cf_target *t, uint64_t addr, uint64_t size, bool *several);

#endif
