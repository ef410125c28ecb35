/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the adapters of runtimes that publish nothing share: the module in the target, its row, and what the
 * tool tells of threads (include/ompdx.h, "segments").
 *
 * One API call, or one bracket, makes a `struct world` (world.h) of the whole process and answers from it; it
 * is forgotten with the bracket's cache.
 */
#ifndef OMPD_STOCK_H
#define OMPD_STOCK_H

#include "providers/needs.h"
#include "runtimes/base/runtime.h"

/** What is known of the file since ompd_process_initialize; in the address space handle. */
struct stock {
    ompdx_module_t module;
    const ompdx_layout_t *row; /**< NULL: what `lay` has was decoded */
    const char *found_how;     /**< ompdx_runtime_info_t.found_how */
    char build_id[2 * sizeof((ompdx_module_t *)0)->build_id + 1];
    const char *lacks[16]; /**< by ompdx_ability_t: refused, and why; NULL: not refused */
    ompdx_missing_t missing[NEEDS_MAX];
    uint32_t missing_count;
};

/** A thread as the tool knows it. */
struct stock_thread {
    uint64_t pthread;
    int64_t lwp;
    ompd_thread_context_t *context;
    ompdx_registers_t regs; /**< known == 0: there are none */
    bool unread;            /**< the runtime's record of it, if it has one, could not be read */
    bool undecided;         /**< the layout does not tell whether it is one of the runtime's */
};

/* ---- stock.c: what the tool tells of threads ----------------------------------------------------------- */

/**
 * All threads with their registers, in memory of the bracket. A thread without registers has known == 0.
 * Codes: ok; unavailable: the tool does not tell of threads; nomem.
 */
WARN_UNUSED ompd_rc_t stock_threads(aspace_t *aspace, struct stock_thread **ret, size_t *count);
/** The INDEX-th frame, 0 the innermost. unavailable: there is none, or the tool does not tell. */
WARN_UNUSED ompd_rc_t stock_frame(aspace_t *aspace, const struct stock_thread *thread, uint32_t index,
                                  ompdx_frame_t *ret);

/** Is this register known? */
static inline bool stock_knows(const struct stock_thread *thread, ompdx_register_t reg)
{
    return (thread->regs.known >> reg & 1) != 0;
}

/* ---- stock_row.c: the module and its row --------------------------------------------------------------- */

/** The module of the aspace's context. Codes: ok; unavailable: the tool does not tell. */
WARN_UNUSED ompd_rc_t stock_module(const struct tgt *tgt, ompdx_module_t *ret);

/** What is refused where WHY applies, unless it is for another reason already. */
void stock_lack(struct stock *stock, ompdx_ability_t ability, const char *why);
/** Notes what the layout lacks, and refuses what that costs. */
void stock_note_missing(aspace_t *aspace);

/** Is ADDRESS in the runtime's file? */
static inline bool stock_inside(const struct stock *stock, uint64_t address)
{
    return address >= stock->module.base && address < stock->module.end;
}
/**
 * The row's entry of KIND (site, spin, function, slot by name) that covers or is at ADDRESS of the target;
 * NULL none. O(log n).
 */
const ompdx_layout_entry_t *stock_site(const struct stock *stock, uint64_t pc);
const ompdx_layout_entry_t *stock_spin(const struct stock *stock, uint64_t pc);
const ompdx_layout_entry_t *stock_function(const struct stock *stock, uint64_t address);
const ompdx_layout_entry_t *stock_slot(const struct stock *stock, const char *function);

/* ---- stock_frames.c ------------------------------------------------------------------------------------ */

/** As ompdx_get_frame_rules. *ret is tgt_alloc memory. */
WARN_UNUSED ompd_rc_t stock_frame_rules(const struct stock *stock, ompdx_frame_rule_t **ret, int *count);

#endif
