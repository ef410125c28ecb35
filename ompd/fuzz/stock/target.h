/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A recorded process (record.py) as the target of the fuzzers here: its memory, registers and stacks, which
 * can be damaged and are made whole again. The context of the address space is the target; that of a thread
 * is its LWP.
 */
#ifndef OMPD_FUZZ_STOCK_TARGET_H
#define OMPD_FUZZ_STOCK_TARGET_H

#include <stdint.h>

#include "omp-tools.h"

/** Makes image NUMBER (of any number) the target, whole. */
void target_choose(unsigned number);
/** Bytes of the target that can be damaged. */
uint32_t target_bytes(void);
/** SIZE bytes at AT, as they are counted by target_bytes, become VALUE; they end where the image ends. */
void target_put(uint32_t at, unsigned size, uint64_t value);
uint64_t target_number(uint32_t at, unsigned size);
/** An address in the memory of the target. */
uint64_t target_address(uint32_t number);
/** Nothing of the piece that has the byte AT can be read. */
void target_lose(uint32_t at);

/** Allocated by the library and not yet freed. */
extern int64_t target_live;
extern const ompd_callbacks_t target_callbacks;

#endif
