/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Call stacks.
 */
#ifndef COREFILES_UNWIND_H
#define COREFILES_UNWIND_H

#include "corefiles/target.h"

struct cf_thread;

/** A frame of the stack, before it has names. */
struct cf_raw_frame {
    uint64_t pc, cfa, fp, sp;
    bool activation;     /**< pc is where it goes on, not where a call returns to */
    const uint64_t *reg; /**< by DWARF number, valid during the callback */
    uint64_t known;      /**< bit N: reg[N] is that of this frame */
};

/** What a call keeps, by DWARF number (psABI x86-64, figure 3.36); where struct insp_frame_registers has it,
 *  and its bit there. */
struct cf_kept_register {
    uint8_t dwarf, number;
    size_t member;
};
enum { CF_KEPT = 6 };
extern const struct cf_kept_register cf_kept[CF_KEPT];

/** An address in the instruction that the frame executes or has called from. */
static inline uint64_t cf_frame_code(const struct cf_raw_frame *frame)
{
    return frame->pc - (frame->activation ? 0 : 1);
}

/** Calls EACH for the frames of TH, at most MAX (0: no limit). The returns of cf_stack. */
int cf_unwind(struct cf_target *t, struct cf_thread *th, uint32_t max,
              int (*each)(const struct cf_raw_frame *frame, void *arg), void *arg,
              const char **why) CF_WARN_UNUSED;
/** Whether the unwind table of the file at PC, an address in an instruction, has the rules by which its
 *  function's caller is found: a register without one is then as the caller had it. */
bool cf_has_rules(struct cf_target *t, uint64_t pc);
void cf_unwinder_free(struct cf_unwinder *unwinder);

#endif
