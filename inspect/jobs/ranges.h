/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sets of numbers as ranges: [[0, 4], [6, 7]] in JSON, "0-4,6-7" in text.
 */
#ifndef INSPECT_RANGES_H
#define INSPECT_RANGES_H

#include <jansson.h>

#include "inspect/base/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** NUMBERS are sorted by it; equal ones count once. */
json_t *ranges_json(int64_t *numbers, size_t count);
/** Is it a list of ranges, ascending and apart, from 0 on? */
bool ranges_good(const json_t *ranges);
/** What is in one of the two. */
json_t *ranges_union(const json_t *a, const json_t *b);
/** The ranges, at most MOST of them, and ",..." for the rest. */
void ranges_add(struct sbuf *out, const json_t *ranges, size_t most);

#ifdef __cplusplus
}
#endif
#endif
