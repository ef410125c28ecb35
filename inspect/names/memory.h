/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The target's memory as a search through pointers reads it: words near each other, page by page.
 */
#ifndef INSPECT_NAMES_MEMORY_H
#define INSPECT_NAMES_MEMORY_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NAMES_PAGE = 4096, NAMES_LINE = NAMES_PAGE / 64, NAMES_PAGES = 256, NAMES_REGIONS = 1024 };

struct name_memory {
    insp_session *session;
    struct name_page {
        uint64_t start;
        bool tried;
        uint64_t there; /**< bit N: the N-th line of it */
        uint8_t bytes[NAMES_PAGE];
    } * pages;                   /**< by a hash of the address; NULL none yet */
    struct insp_region *regions; /**< those known, by address; NULL none yet */
    uint32_t region_count;
};

/** Exactly SIZE bytes at ADDR. False when any is missing. */
bool memory_read(struct name_memory *memory, uint64_t addr, void *buf, uint64_t size) INSP_WARN_UNUSED;
/** The 8 bytes at ADDR. */
bool memory_word(struct name_memory *memory, uint64_t addr, uint64_t *ret) INSP_WARN_UNUSED;
/** What ADDR lies in; false when that is not mapped, or not known. Whether it is a stack is not to be seen
 *  from it. */
bool memory_region(struct name_memory *memory, uint64_t addr, struct insp_region *ret) INSP_WARN_UNUSED;
/** How many objects of SIZE bytes lie at ADDR for certain, by what glibc's malloc notes: 1 if nothing is
 *  known, not even SIZE (0). *several: there is room for more than malloc's rounding explains. */
uint64_t memory_allocated(struct name_memory *memory, uint64_t addr, uint64_t size, bool *several);
void memory_free(struct name_memory *memory);

#ifdef __cplusplus
}
#endif
#endif
