/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From a row to the layout that the adapters use.
 */
#ifndef OMPD_ROW_LAY_H
#define OMPD_ROW_LAY_H

#include "target.h"

#include "layout.h"

/**
 * Fills LAY from ROW for a module with BIAS. Codes: ok; incompatible after a sentence: the row contradicts
 * itself.
 */
WARN_UNUSED ompd_rc_t row_lay(const ompdx_layout_t *row, uint64_t bias, struct lay *lay);

#endif
