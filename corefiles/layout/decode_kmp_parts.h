/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The parts of the decoder of libomp.
 */
#ifndef COREFILES_LAYOUT_DECODE_KMP_PARTS_H
#define COREFILES_LAYOUT_DECODE_KMP_PARTS_H

#include "corefiles/layout/decoding.h"

/** A bit of a word of 4 bytes. */
void ly_add_mask(struct ly_decoding *d, const char *name, int64_t offset, uint64_t mask);
/** Adds what the table for Intel's debugger says, if there is one. false: it contradicts what is known. */
bool ly_decode_kmp_table(struct ly_decoding *d) LY_WARN_UNUSED;
/** Adds what the functions that programs call show. */
void ly_decode_kmp_code(struct ly_decoding *d);
/** The same of those for tasks. false: it contradicts what is known. */
bool ly_decode_kmp_tasks(struct ly_decoding *d) LY_WARN_UNUSED;
/** Adds where a team has its function; the place of its list of members has to be known. */
void ly_decode_kmp_function(struct ly_decoding *d);
/** Adds the numbers that threads at barriers count by. */
void ly_decode_kmp_barriers(struct ly_decoding *d);
/** Adds queuing locks and what a thread has of them. */
void ly_decode_kmp_locks(struct ly_decoding *d);
/** The pointer to the thread's current task in a trace. */
uint16_t ly_kmp_task(const struct ly_decoding *d, const struct ly_trace *t);

#endif
