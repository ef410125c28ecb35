/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Pointers that the loader writes into the file once, and nobody afterwards: those of the global offset table
 * and the linkage table, and what else becomes read-only.
 */
#ifndef COREFILES_LAYOUT_RELOCATIONS_H
#define COREFILES_LAYOUT_RELOCATIONS_H

#include "corefiles/layout/image.h"

/** A pointer at AT, to TARGET in the same file. */
struct ly_relocation {
    uint64_t at, target;
};

/** What the loader fills in so that code finds a thread-local variable of the file: two words. */
struct ly_tls {
    uint64_t at;
    bool is_descriptor; /**< else the number of the file's storage, and an offset in it */
};

/** Reads them, once, into the image. Returns NULL, or in words that must not be freed why not. */
const char *ly_read_relocations(struct ly_image *image) LY_WARN_UNUSED;
/** Where the pointer at AT points in the same file; 0: there is none that stays as it is. */
uint64_t ly_target(const struct ly_image *image, uint64_t at);
/** The words for a thread-local variable that begin at AT; NULL: none do. */
const struct ly_tls *ly_tls(const struct ly_image *image, uint64_t at);

#endif
