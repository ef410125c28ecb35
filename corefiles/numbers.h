/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers in text that others have written: files of proc(5), what nodes answer. One that is none, or too
 * large, is refused.
 */
#ifndef COREFILES_NUMBERS_H
#define COREFILES_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The number in BASE (10 or 16, without "0x") that *AT begins with, behind blanks; *AT is then behind it.
 * False: there is none, or it has more than 64 bits; *AT and *RET are as they were.
 */
bool cf_next_number(const char **at, int base, uint64_t *ret) __attribute__((warn_unused_result));
/** The same for a decimal one with a sign. */
bool cf_next_signed(const char **at, int64_t *ret) __attribute__((warn_unused_result));
/** The process or thread that an entry of /proc is of, or that the user names; 0: NAME is no number. */
int32_t cf_proc_id(const char *name);
/** The N-th word of TEXT, from 1; NULL: it has fewer. */
const char *cf_word(const char *text, int n);
/** Field N of the line of /proc/PID/stat, from 3 on, as proc(5) counts; NULL: it has fewer. The second is the
 *  name of the thread in parentheses, which may hold anything. */
const char *cf_stat_field(const char *line, int n);

#ifdef __cplusplus
}
#endif
#endif
