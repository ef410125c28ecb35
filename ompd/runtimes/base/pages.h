/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Pages of the target, read once each: for structures that lie close together in its heap and are found one
 * by one, as tasks in a list.
 */
#ifndef OMPD_PAGES_H
#define OMPD_PAGES_H

#include "handles.h"

/** Start with zeros. All memory is the bracket's. */
struct pages {
    struct pages_row {
        uint64_t page;       /**< address / 4096 + 1, 0: the row is free */
        const uint8_t *data; /**< NULL: it could not be read */
    } * rows;
    uint32_t room, count; /**< room is a power of two, or 0 */
};

/**
 * BYTES at ADDRESS. Codes: ok; error: nothing can be there; nomem; those of tgt_read.
 */
WARN_UNUSED ompd_rc_t pages_read(aspace_t *aspace, struct pages *pages, uint64_t address, uint32_t bytes,
                                 void *ret);
/**
 * Reads the pages of COUNT places of BYTES each that are asked for next: those near one another in one read.
 * What cannot be read is left to pages_read. Codes: ok, nomem.
 */
WARN_UNUSED ompd_rc_t pages_fetch(aspace_t *aspace, struct pages *pages, const uint64_t *address,
                                  size_t count, uint32_t bytes);
/** The unsigned number of SIZE bytes at ADDRESS. Codes as above. */
WARN_UNUSED ompd_rc_t pages_number(aspace_t *aspace, struct pages *pages, uint64_t address, unsigned size,
                                   uint64_t *ret);

#endif
