/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The handles that the tool holds. Each starts with a tag, for 6.0 asks that a handle of another sort be
 * told, and the void pointers of the ICV routines carry no type.
 *
 * A handle names its thing by the slot's address and by the slot's serial when it was made. Serials are never
 * reused, so a handle to something that has ended cannot be taken for what lives in the slot now. A thread,
 * parallel or task handle keeps its address space's memory (not its validity) alive, so that order of release
 * does not matter.
 */
#ifndef OMPD_HANDLES_H
#define OMPD_HANDLES_H

#include "bracket.h"
#include "kept.h"
#include "layout.h"
#include "target.h"

struct rtm_ops;
struct stock;

enum handle_tag {
    HANDLE_ASPACE = 0x41444d4f,
    HANDLE_THREAD = 0x54444d4f,
    HANDLE_PARALLEL = 0x50444d4f,
    HANDLE_TASK = 0x4b444d4f,
    HANDLE_RELEASED = 0x58444d4f
};

struct _ompd_aspace_handle {
    uint32_t tag;
    uint32_t references; /**< one for the tool while not released, one for each handle below */
    bool released;
    uint32_t session; /**< tgt_lib.session when it was made */
    uint32_t reads;   /**< of the call that is under way: tgt.reads points here */
    struct tgt tgt;
    struct lay lay;           /**< filled once, by the provider */
    const struct rtm_ops *rt; /**< the adapter */
    struct stock *stock; /**< of a runtime that publishes nothing (runtimes/base/stock.h); NULL: Companion */
    void *row_memory;    /**< what stock->row is in; NULL: not in memory of the handle */
    struct brk brk;
    struct kept *kept; /**< from call to call */
};

/** An entity of the target. */
struct rtm_ref {
    uint64_t address, serial;
};

/**
 * Where a walk along parents has been, carried from handle to handle: Brent's algorithm, one step a call. A
 * target whose chain is a ring gets an error from the library instead of an endless loop in the tool.
 */
struct handle_chain {
    uint64_t anchor;
    uint32_t power, steps;
};

/** How a handle of an entity begins. */
struct handle {
    uint32_t tag;
    struct _ompd_aspace_handle *aspace;
    struct rtm_ref ref;
};

struct _ompd_thread_handle {
    struct handle base;
};

struct _ompd_parallel_handle {
    struct handle base;
    struct handle_chain enclosing;
};

struct _ompd_task_handle {
    struct handle base;
    struct handle_chain generating, scheduling;
};

typedef struct _ompd_aspace_handle aspace_t;

/** Release one reference; the last one frees. */
void handle_put_aspace(aspace_t *aspace);

/**
 * A handle for the entity REF of the sort TAG: HANDLE_THREAD, HANDLE_PARALLEL or HANDLE_TASK. RET is the
 * address of a pointer to such a handle. Codes: ok; nomem, and *RET is unchanged.
 */
WARN_UNUSED ompd_rc_t handle_new(aspace_t *aspace, enum handle_tag tag, const struct rtm_ref *ref, void *ret);
/** Frees a handle that handle_new() made. */
void handle_free(void *handle);

/**
 * One step from the slot FROM to the slot TO. Codes: ok with *ret the chain for TO's handle; error: a ring.
 */
WARN_UNUSED ompd_rc_t handle_step(const struct handle_chain *chain, uint64_t from, uint64_t to,
                                  struct handle_chain *ret);

#endif
