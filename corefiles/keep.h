/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a name needs of a process that goes on before it is named.
 */
#ifndef COREFILES_KEEP_H
#define COREFILES_KEEP_H

#include "corefiles/target.h"

/** ADDR is to be named later. */
void cf_heap_note(struct cf_target *t, uint64_t addr);
/** ADDR, for which a thread waits outside of OpenMP, is to be named later. */
void cf_wait_note(struct cf_target *t, uint64_t addr);
/** Copies the memory through which pointers lead to what was noted, as far as there is not too much of it. */
void cf_heap_keep(struct cf_target *t);

#endif
