/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Damage that knows what a core looks like: header, program headers, notes and what they hold, ELF headers in
 * its memory.
 */
#ifndef COREFILES_FUZZ_MUTATE_H
#define COREFILES_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/** The next of a sequence that SEED begins and carries on (xorshift; not 0). */
uint64_t mutate_random(uint64_t *seed);
/** Changes DATA at one place, or shortens it; the new size. What is no core is changed anywhere. */
size_t mutate_core(uint8_t *data, size_t size, uint64_t *seed);

#endif
