/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sorted arrays of (key, value): the look-ups of a bracket. qsort of glibc allocates behind our back, so:
 * heapsort.
 */
#ifndef OMPD_INDEX_H
#define OMPD_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct index_row {
    uint64_t key, value;
};

struct index {
    struct index_row *rows;
    size_t count;
};

/** Sorts by key, then by value. */
void index_sort(struct index *index);
/** First row whose key is not below KEY; count when there is none. */
size_t index_find(const struct index *index, uint64_t key);
/** The value of the first row with KEY. Returns 0 when there is none, 1 otherwise. */
int index_get(const struct index *index, uint64_t key, uint64_t *value);

#endif
