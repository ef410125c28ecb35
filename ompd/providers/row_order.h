/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The order of a row's entries in memory: by kind; sites, spins and functions then by address, all others
 * by name.
 */
#ifndef OMPD_ROW_ORDER_H
#define OMPD_ROW_ORDER_H

#include "target.h"

bool row_by_address(uint32_t kind);
void row_sort(ompdx_layout_entry_t *entries, uint64_t count);

/** The first entry that is not before KIND and address A; count when there is none. O(log n). */
uint64_t row_lower(const ompdx_layout_t *row, uint32_t kind, uint64_t a);
/** The entry of a kind that is ordered by name; NULL none. */
const ompdx_layout_entry_t *row_named(const ompdx_layout_t *row, uint32_t kind, const char *name);

#endif
