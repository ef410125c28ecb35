/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Rows that the tool adds (ompdx_layout_add): checked, copied, and kept until ompd_finalize.
 */
#ifndef OMPD_ROW_ADD_H
#define OMPD_ROW_ADD_H

#include "target.h"

/** A row and its copy of all text; one block. */
struct row_added {
    struct row_added *next;
    ompdx_layout_t row;
};

/** Codes: as ompdx_layout_add. */
WARN_UNUSED ompd_rc_t row_add(const ompdx_layout_t *layout);
/** Those that were added, the last one first. */
const struct row_added *row_added(void);
bool row_is_added(const ompdx_layout_t *row);
/** Frees them: ompd_finalize. */
void row_forget(void);

#endif
