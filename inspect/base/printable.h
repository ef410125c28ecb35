/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What may be shown. The model keeps names as the target has them, byte for byte; a terminal obeys what it is
 * sent, so each printer shows '?' in place of
 *   - control characters (C0, DEL, C1, also as UTF-8),
 *   - the bidirectional controls U+061C, U+200E, U+200F, U+202A..U+202E, U+2066..U+2069, which show a line in
 *     another order than it has,
 *   - the line and paragraph separators U+2028 and U+2029,
 *   - bytes that are not UTF-8 (overlong forms, surrogates, beyond U+10FFFF).
 */
#ifndef INSPECT_PRINTABLE_H
#define INSPECT_PRINTABLE_H

#include "inspect/base/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of the character at S, never 0 before the end; *good: it may be shown. */
size_t printable_next(const char *s, bool *good);
/** Is there nothing to replace? NULL: yes. */
bool printable_all(const char *s) INSP_WARN_UNUSED;
/** S itself where all of it may be shown, else a copy; NULL out of memory or for NULL. */
const char *printable_str(struct arena *a, const char *s);
/** Replaces in place. */
void printable_fix(char *s);
/** The same of a text of several lines: their ends stay. */
void printable_fix_lines(char *s);
/** malloc'ed sentence for an `error` output, all of which may be shown; NULL out of memory. */
char *insp_sentence(const char *format, ...) INSP_PRINTF(1, 2) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
