/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Reports as short as a reader of many of them needs them: most of the time to read one goes into blanks and
 * into what merging does not use.
 */
#ifndef INSPECT_JOBS_COMPACT_H
#define INSPECT_JOBS_COMPACT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The first object of TEXT, malloc'ed, *LENGTH bytes: without blanks between its words, and with a 0 in the
 * place of its `edges`, which are not looked at. It takes *USED bytes of TEXT. What is no JSON stays none,
 * but in `edges`. NULL: there is no object that has an end, or no memory.
 */
char *compact(const char *text, size_t size, size_t *length, size_t *used);

#ifdef __cplusplus
}
#endif

#endif
