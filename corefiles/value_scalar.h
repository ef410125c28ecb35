/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers, characters, truth values and enumerators as text.
 */
#ifndef COREFILES_VALUE_SCALAR_H
#define COREFILES_VALUE_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#include "inspect/base/mem.h"

struct die;

/** The widest: a pair of long double. */
enum { CF_SCALAR_MAX = 32 };

/** A base type or enumeration TYPE of SIZE bytes; false: it is of no kind that is known. */
bool cf_scalar_text(struct sbuf *out, const struct die *type, const uint8_t *bytes, uint64_t size);
/** The low BITS bits of WORD, for a bit-field of TYPE. */
void cf_bits_text(struct sbuf *out, const struct die *type, uint64_t word, uint32_t bits);
/** One byte of a text, as C writes it between QUOTE. */
void cf_character_text(struct sbuf *out, uint8_t c, char quote);
/** A plain type of characters of one byte. */
bool cf_is_character(const struct die *type);

#endif
