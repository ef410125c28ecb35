/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How often one call may read, whatever the target holds: the table of docs/hostile-targets.md.
 */
#ifndef OMPD_FUZZ_BOUNDS_H
#define OMPD_FUZZ_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

/** What is in libompd, said a second time: blocks of the directory, and reads of any call. */
#define BOUNDS_BLOCKS 8192u
#define BOUNDS_ALL    (1u << 18)

uint64_t bounds_reads(unsigned function, bool in_bracket);

#endif
