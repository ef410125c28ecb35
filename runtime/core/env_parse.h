/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Reading values of environment variables. A function moves *s behind what it has read and the blanks there;
 * it returns 0, or -1 where an index is asked for, when the text is something else.
 */
#ifndef RT_ENV_PARSE_H
#define RT_ENV_PARSE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

const char *rt_parse_blanks(const char *s);
/** A whole number of at least min; a larger one than max is taken as max. */
int rt_parse_number(const char **s, long min, long max, long *ret);
/** The index of the word at *s in the list, in any case of letters. */
int rt_parse_word(const char **s, const char *const *list);
/** All of `value` is one word of the list. */
int rt_parse_only_word(const char *value, const char *const *list);
/** All of `value` is a truth value: 1 true, 0 false, -1 neither. */
int rt_parse_bool(const char *value);
/** All of `value` is a size; `unit` (an index of "BKMGT") is that of a number without one. */
int rt_parse_size(const char *value, int unit, uint64_t *ret);

#ifdef __cplusplus
}
#endif
#endif
