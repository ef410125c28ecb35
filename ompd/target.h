/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The tool's callbacks, made safe: memory from the tool, typed numbers and blocks from the target.
 *
 * The callback table and the negotiated version are the only things here that belong to the whole library;
 * whatever concerns one process (type sizes, byte order) is in `struct tgt`, for a tool may look at several
 * processes at once.
 */
#ifndef OMPD_TARGET_H
#define OMPD_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The API is what the library exports; all else is hidden by -fvisibility=hidden. */
#pragma GCC visibility push(default)
#include "omp-tools.h"
#include "ompdx.h"
#pragma GCC visibility pop

#define WARN_UNUSED __attribute__((warn_unused_result))

/** Leaves the function with the code of a failed step. Outputs must not have been touched yet. */
#define TRY(step)                  \
    do {                           \
        ompd_rc_t try_rc = (step); \
        if (try_rc != ompd_rc_ok)  \
            return try_rc;         \
    } while (0)

struct tgt_library {
    bool ready;          /**< between ompd_initialize and ompd_finalize */
    uint32_t session;    /**< counts ompd_initialize: handles of an earlier one are stale */
    ompd_word_t version; /**< negotiated API version */
    ompd_callbacks_t cb; /**< a copy: nobody promises that the tool's table stays where it is */
};
extern struct tgt_library tgt_lib;

enum tgt_order { TGT_ORDER_SAME, TGT_ORDER_SWAP, TGT_ORDER_ASK };

/**
 * Most reads of one API call, whatever the target claims (docs/hostile-targets.md): the last defence against
 * a hang. A million tasks in a core take some hundred.
 */
#define TGT_READS_MAX (1u << 18)

/** One process or core. */
struct tgt {
    ompd_address_space_context_t *context; /**< the tool's */
    uint32_t *reads;                       /**< of the API call that is under way */
    ompd_device_type_sizes_t sizes;
    enum tgt_order
        order[3]; /**< for 2, 4 and 8 bytes; what device_to_host does, learnt once from a pattern */
};

/* ---- memory of the tool -------------------------------------------------------------------------------- */

/** A block that is not zeroed. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t tgt_alloc(uint64_t bytes, void *ret);
WARN_UNUSED ompd_rc_t tgt_alloc_zero(uint64_t bytes, void *ret);
void tgt_free(void *block);
/** Scope guard for a block: `__attribute__((cleanup(tgt_free_guard))) type *block = NULL;` */
void tgt_free_guard(void *pointer_to_block);
/** A copy of TEXT that becomes the tool's property. */
WARN_UNUSED ompd_rc_t tgt_strdup(const char *text, const char **ret);

/* ---- the target ---------------------------------------------------------------------------------------- */

/**
 * Asks for sizes and byte order; tgt->reads is set already. Codes: ok, incompatible (sizes that no machine
 * has), those of the callbacks.
 */
WARN_UNUSED ompd_rc_t tgt_open(struct tgt *tgt, ompd_address_space_context_t *context);

/**
 * Reads BYTES at ADDRESS. Codes: ok; error (address 0, the range wraps round, or the call has read
 * TGT_READS_MAX times); the read_memory callback's own, with callback_error for codes that would mean
 * something else to our caller (unavailable, bad_input, no code at all).
 */
WARN_UNUSED ompd_rc_t tgt_read(const struct tgt *tgt, uint64_t address, uint64_t bytes, void *ret);

/**
 * The same of a segment of ompdx.h, whose numbers are the tool's own; CONTEXT is NULL or the thread's.
 * Codes: ok; unavailable: the tool does not tell, or there is no more.
 */
WARN_UNUSED ompd_rc_t tgt_read_segment(const struct tgt *tgt, ompd_thread_context_t *context,
                                       uint64_t segment, uint64_t address, uint64_t bytes, void *ret);

/** The unsigned number of SIZE (1, 2, 4, 8) bytes at BYTES, which hold target data. */
WARN_UNUSED ompd_rc_t tgt_number(const struct tgt *tgt, const void *bytes, unsigned size, uint64_t *ret);

/** Reads a pointer of the target. */
WARN_UNUSED ompd_rc_t tgt_read_pointer(const struct tgt *tgt, uint64_t address, uint64_t *ret);

/** Address of a global symbol. Codes: ok, unavailable (no such symbol), other codes of the callback. */
WARN_UNUSED ompd_rc_t tgt_symbol(const struct tgt *tgt, const char *name, uint64_t *ret);

/** Shows a sentence to the user, if the tool wants any. */
void tgt_say(const char *sentence);

#endif
