/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Messages. Text that is not the runtime's own (values of variables, paths, names, the program's texts) is
 * written as rt_printable() leaves it, so that it cannot steer a terminal or turn a line round.
 */
#ifndef RT_MESSAGE_H
#define RT_MESSAGE_H

#include <stdio.h>

/** Which control characters are kept: none, or those that lay out a text of several lines. */
enum rt_layout_of_text { RT_ONE_LINE, RT_TAB_AND_NEWLINE };

/**
 * Puts a question mark in place of each control character (C0, DEL, C1), each character that changes the
 * direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), the separators U+2028
 * and U+2029, and each byte that is not UTF-8. Returns the new length, never more than `length`.
 */
size_t rt_printable(char *text, size_t length, enum rt_layout_of_text layout);
/** Writes a text of one line as rt_printable() leaves it. */
void rt_put_printable(FILE *out, const char *text);

/** One line on stderr, without control characters. */
void rt_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Ends the program with status 1 (what the program asked for), or by abort() (what must not be). */
_Noreturn void rt_end(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void rt_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
