/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the search through pointers has found, for those who put it into words.
 */
#ifndef COREFILES_REACH_H
#define COREFILES_REACH_H

#include "corefiles/typepath.h"

/**
 * HOPS: pointers in a chain: table -> rows -> row -> the cell's lock. Longer ones nobody reads.
 * READS: pointers that are read in one search from global variables, which takes 0.1 s, LOCAL_READS from
 * those of a function, ALL_READS for one snapshot.
 */
enum { CF_HOPS = 4, CF_READS = 1 << 16, CF_LOCAL_READS = 1 << 12, CF_ALL_READS = 1 << 18 };

/** Objects of a type, one behind the other: a variable, or what a pointer leads to. */
struct cf_spot {
    uint64_t start, count, size;
    struct die type;     /**< of one; a Fortran descriptor's: the array */
    struct die variable; /**< when hops is 0 */
    uint32_t from;       /**< the spot that has the pointer */
    uint64_t offset;     /**< of the pointer from its start */
    enum cf_how how;
    bool held;    /**< a variable in a register, and start is its value */
    bool several; /**< an index is written also for the first */
    bool ended;   /**< a pointer to their end tells how many there are */
    uint8_t hops; /**< pointers from the variable to here */
};

/** One search. */
struct cf_reach {
    struct cf_target *t;
    struct cf_leads *leads;
    struct cf_spot *spots; /**< nearest first */
    uint32_t count, reads, limit;
    uint32_t *seen; /**< index + 1 in spots by a hash of start and type; open addressing; NULL none yet */
    uint32_t
        seen_size; /**< a power of two; no more spots than pointers are read, so half of it stays empty */
};

/** NULL out of memory. */
struct cf_reach *cf_reach_new(struct cf_target *t, uint32_t limit);
void cf_reach_free(struct cf_reach *reach);
/** False: out of memory. */
bool cf_reach_add(struct cf_reach *r, const struct cf_spot *spot);
/** Follows the pointers of all spots, of those that this adds as well. */
void cf_reach_run(struct cf_reach *r);
/** Bounds of a Fortran array by the descriptor at OBJECT; *n dimensions. False: there is none now, or its
 * elements do not
 *  lie side by side. */
bool cf_reach_array(struct cf_target *t, struct die *array, uint64_t object, uint64_t *start, uint64_t *size,
                    int *n, int64_t lower[], int64_t count[]);

#endif
