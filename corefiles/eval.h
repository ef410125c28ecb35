/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * DWARF expressions.
 */
#ifndef COREFILES_EVAL_H
#define COREFILES_EVAL_H

#include "corefiles/target.h"

struct cf_raw_frame;
struct die;

/** Where an expression is asked for. */
struct cf_eval_context {
    struct cf_target *t;
    uint64_t bias;                    /**< address minus that in DWARF */
    const struct cf_raw_frame *frame; /**< NULL: in none */
    uint64_t frame_base;              /**< 0: unknown */
    uint64_t pc;                      /**< as in DWARF, of the frame */
    uint64_t object;                  /**< whose description it is; 0: nobody's */
    int64_t lwp;                      /**< whose thread-local variables are meant; 0: nobody's */
};
struct cf_location {
    uint64_t at;
    bool is_value; /**< the variable is in a register: this is what it holds */
};
/** The expression of an attribute where the pc, as in DWARF, is PC. */
int cf_evaluate(const struct cf_eval_context *context, const struct die *die, unsigned which, uint64_t pc,
                struct cf_location *ret) CF_WARN_UNUSED;
/** Why the variable DIE has no place where the pc, as in DWARF, is PC, once cf_evaluate has failed. */
const char *cf_unplaced(const struct die *die, uint64_t pc);
/** An attribute that is a number or an expression for one, such as ATTR_upper_bound. */
int cf_number(const struct cf_eval_context *context, const struct die *die, unsigned which,
              int64_t *ret) CF_WARN_UNUSED;

#endif
