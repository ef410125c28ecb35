/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The rows of ompd/rows/ as tools/pack_rows.py compiles them in: numbers and offsets into one text, without a
 * pointer that the loader would have to relocate.
 */
#ifndef OMPD_ROWS_H
#define OMPD_ROWS_H

#include <stdint.h>

/** An ompdx_layout_entry_t. */
struct rows_entry {
    uint32_t kind, name, a, b, c; /**< name: offset into rows_text */
};

struct rows_row {
    uint32_t family, name, source; /**< offsets into rows_text */
    uint32_t first, count;         /**< of rows_entries: by kind, then by `a` or by name (row.h) */
};

extern const struct rows_row rows_list[];
extern const struct rows_entry rows_entries[];
extern const char rows_text[];
extern const uint32_t rows_count;

#endif
