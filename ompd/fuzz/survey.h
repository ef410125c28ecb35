/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One go through the whole API on an address space, for the fuzzers whose inputs are damage alone.
 */
#ifndef OMPD_FUZZ_SURVEY_H
#define OMPD_FUZZ_SURVEY_H

#include "ompd/fuzz/calls.h"

/**
 * ASPACE: 0, or 1 when process_initialize made one. ENTITIES: of each list, so many are looked at (1..16).
 */
void survey(struct calls *calls, unsigned aspace, unsigned entities, bool bracket);

#endif
