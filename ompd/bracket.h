/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What is known of the target's memory during one API call, or from ompdx_stop_begin to ompdx_stop_end.
 *
 * Outside a bracket the library cannot know whether the target ran since the last call, so nothing read lives
 * longer than the call, except what an adapter can tell to be still true (kept.h). Both cases are one
 * mechanism: a `struct brk` that is dropped at the end of the call or of the bracket. In a bracket the first
 * use of a slab reads all its like; outside, only calls that list or search do.
 *
 * The cache knows slabs (arrays of equal slots of one kind, anywhere) and spots (small places such as lock
 * words). It knows nothing of a runtime: an adapter registers the slabs and asks for slots.
 */
#ifndef OMPD_BRACKET_H
#define OMPD_BRACKET_H

#include "index.h"
#include "target.h"

/** Kinds of slabs that adapters tell apart, and how many. */
#define BRK_KINDS 5
/** No slot that an adapter decodes is larger; a scratch buffer on the stack has this size. */
#define BRK_SLOT_BYTES_MAX 4096u

struct brk_slab {
    uint64_t base;
    uint32_t slot_size, capacity, used;
    uint32_t kind;  /**< 0 .. BRK_KINDS-1 */
    uint64_t entry; /**< where the runtime's own record of the slab is, if an adapter wants to look again */
    uint8_t *data;  /**< used * slot_size bytes, NULL: not read */
    uint8_t *holes; /**< one bit a slot that could not be read, NULL: none */
};

/** A small piece of memory, read together with its like. */
struct brk_spot {
    uint64_t address;
    uint32_t bytes;
    ompd_rc_t rc; /**< of the read */
    const uint8_t *data;
};
struct brk_spots {
    struct brk_spot *list; /**< by address */
    size_t count;
    bool filled;
};

/** Indices that an adapter builds lazily; what each holds is the adapter's affair. */
#define BRK_INDICES 13

/** Memory of the tool; what is in it follows. */
struct brk_block {
    struct brk_block *next;
    uint64_t pad;
};

struct brk {
    bool open;                /**< between stop_begin and stop_end: whole slabs are worth reading */
    struct brk_block *blocks; /**< all memory of the cache, a list */
    uint8_t *root;            /**< the runtime's root structure, NULL: not read */
    void *world;              /**< the process as an adapter without slabs has understood it, NULL: not yet */
    struct brk_slab *slabs;   /**< by base; NULL: directory not read */
    size_t slab_count;
    bool loaded[BRK_KINDS];
    bool has_holes[BRK_KINDS];
    uint32_t page_failures; /**< pages given up one by one; bounded */
    struct index index[BRK_INDICES];
    bool index_ready[BRK_INDICES];
    struct brk_spots spots[2];
    uint64_t array_address; /**< the one array read last (a team's members) */
    uint64_t array_bytes;
    uint8_t *array; /**< NULL: not to be had whole */
};

/** Memory that lives as long as the cache. */
WARN_UNUSED ompd_rc_t brk_alloc(struct brk *brk, uint64_t bytes, void *ret);
/** Forgets and frees everything; the bracket's state (open) stays. */
void brk_drop(struct brk *brk);

/**
 * Takes over the directory: LIST (memory of brk_alloc) gets sorted. Codes: ok; error: slabs overlap, wrap
 * round or claim more memory than any process has.
 */
WARN_UNUSED ompd_rc_t brk_set_slabs(struct brk *brk, struct brk_slab *list, size_t count);

/** The last slab with a base not above ADDRESS, NULL: none. */
struct brk_slab *brk_find(const struct brk *brk, uint64_t address);
/** Is ADDRESS, not below the slab's base, where a slot of KIND with room for BYTES starts, used or not? */
bool brk_is_start(const struct brk_slab *slab, uint32_t kind, uint64_t address, uint32_t bytes);
/** Says that a pointer leads to no slot. Returns error. */
WARN_UNUSED ompd_rc_t brk_no_slot(void);

/**
 * The slot at ADDRESS, which must be the start of a used slot of KIND: a pointer of the target is trusted no
 * further.
 * *ret points into the cache or at SCRATCH (BYTES of it are valid). Codes: ok; error: no such slot; those of
 * tgt_read.
 */
WARN_UNUSED ompd_rc_t brk_slot(const struct tgt *tgt, struct brk *brk, uint32_t kind, uint64_t address,
                               uint32_t bytes, uint8_t *scratch, const uint8_t **ret);

/** Reads all slabs of KIND in blocks. Unreadable slots are remembered as holes and are no failure. */
WARN_UNUSED ompd_rc_t brk_load(const struct tgt *tgt, struct brk *brk, uint32_t kind);

/** Walks over the readable slots of KIND after brk_load. Start with {0, 0}. */
struct brk_cursor {
    size_t slab, slot;
};
bool brk_next(const struct brk *brk, uint32_t kind, struct brk_cursor *cursor, uint64_t *address,
              const uint8_t **bytes);

/** Slots of KIND that were ever used. */
uint64_t brk_used(const struct brk *brk, uint32_t kind);

/**
 * Reads the places in LIST (memory of brk_alloc; address and bytes are set, bytes <= BRK_SLOT_BYTES_MAX; any
 * order, doubles allowed) in blocks, and keeps them as set SET.
 */
WARN_UNUSED ompd_rc_t brk_fill_spots(const struct tgt *tgt, struct brk *brk, unsigned set,
                                     struct brk_spot *list, size_t count);
/** A place of a set, or read now when it is not there. */
WARN_UNUSED ompd_rc_t brk_spot(const struct tgt *tgt, const struct brk *brk, unsigned set, uint64_t address,
                               uint32_t bytes, void *ret);

/**
 * Part of an array in the target of TOTAL bytes; in a bracket the whole array is read and kept until the next
 * one.
 */
WARN_UNUSED ompd_rc_t brk_array(const struct tgt *tgt, struct brk *brk, uint64_t array, uint64_t total,
                                uint64_t offset, uint32_t bytes, void *ret);

#endif
