/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The parts of the decoder of libomp.
 */
#ifndef COREFILES_LAYOUT_DECODE_KMP_H
#define COREFILES_LAYOUT_DECODE_KMP_H

#include "corefiles/layout/decoding.h"

/** A bit of a word of 4 bytes. */
void ly_add_mask(struct ly_decoding *d, const char *name, int64_t offset, uint64_t mask);
/** Adds what the table for Intel's debugger says, if there is one. false: it contradicts what is known. */
bool ly_decode_kmp_table(struct ly_decoding *d) LY_WARN_UNUSED;
/** Adds what the functions that programs call show. */
void ly_decode_kmp_code(struct ly_decoding *d);

#endif
