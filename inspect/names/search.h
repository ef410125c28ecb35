/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names for what lies in allocated memory: the pointers of variables are followed, breadth first, as far as
 * their types can lead to a lock. A name is given where such a chain, read from this very memory, ends at the
 * address.
 */
#ifndef INSPECT_NAMES_SEARCH_H
#define INSPECT_NAMES_SEARCH_H

#include "inspect/names/memory.h"
#include "inspect/names/types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct found_object;

/** One search, from the variables that search_add names. {.types, .memory, .limit, .visit_limit} is one
 *  without any. */
struct pointer_search {
    struct name_types *types;
    struct name_memory *memory;
    uint32_t limit;       /**< pointers that may be read */
    uint32_t reads;       /**< that were */
    uint32_t visit_limit; /**< of `visits` */
    uint32_t visits, count;
    struct found_object *objects; /**< nearest first */
    struct hash seen;             /**< index + 1 in objects by start and type */
    struct arena arena;           /**< names, bounds of arrays */
};

/** A variable to start from, if its type can lead to a lock. */
void search_add(struct pointer_search *search, const struct insp_variable *variable);
/** Follows the pointers of all objects, of those that this adds as well. */
void search_run(struct pointer_search *search);
/** The malloc'ed expression of the lock at ADDR, by the shortest chain; NULL none. */
char *search_find(struct pointer_search *search, uint64_t addr);
void search_free(struct pointer_search *search);

#ifdef __cplusplus
}
#endif
#endif
