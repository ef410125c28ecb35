/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Layouts as data: the rows that are compiled in (rows.h) and those that the tool has added (row_add.h). A
 * row is for the builds whose build-ids it lists, and for those whose code has its fingerprint.
 */
#ifndef OMPD_ROW_H
#define OMPD_ROW_H

#include "layout.h"

/**
 * A row of the library or of the tool. What is expanded from the library's is freed by tgt_free(*memory),
 * which is NULL else.
 */
struct row_found {
    const ompdx_layout_t *row;
    void *memory;
};
/**
 * The row that lists BUILD_ID, or that has FINGERPRINT (one of both is NULL) and is of FAMILY (NULL: any).
 * Those of the tool come first, the one added last before the others. Codes: ok; unavailable: there is
 * none; nomem.
 */
WARN_UNUSED ompd_rc_t row_find(const char *build_id, const char *fingerprint, const char *family,
                               struct row_found *ret);
#endif
