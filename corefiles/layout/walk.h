/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Follows the start of a function of libgomp, from instruction to instruction: which registers hold the
 * thread's team, its task, or the task's taskgroup.
 */
#ifndef COREFILES_LAYOUT_WALK_H
#define COREFILES_LAYOUT_WALK_H

#include "corefiles/layout/code.h"

enum ly_holds { LY_NOTHING, LY_TEAM, LY_TASK, LY_GROUP };

/** Where these are: offsets in the thread's record and in a task. LY_WALK_UNKNOWN: that is not known yet. */
struct ly_roots {
    uint64_t team, task, taskgroup;
};
#define LY_WALK_UNKNOWN UINT64_MAX

enum { LY_SPILLS_MAX = 8, LY_JUMPS_MAX = 16, LY_WALK_MAX = 160 };

struct ly_walk {
    const struct ly_code *code;
    struct ly_roots roots;
    size_t at, left;
    uint64_t end;
    uint8_t holds[X86_RIP]; /**< enum ly_holds, after the last instruction */
    struct ly_spill {
        int32_t at; /**< from the stack pointer, which moves at the function's start only */
        uint8_t holds;
    } spills[LY_SPILLS_MAX];
    unsigned spill_count;
    struct ly_jump {
        uint64_t to;
        uint8_t holds[X86_RIP];
    } jumps[LY_JUMPS_MAX]; /**< on conditions, with what the registers held */
    unsigned jump_count;
    bool ended; /**< the last instruction never goes on to the next */
};

/** FUNCTION may be NULL: then there is no step. */
struct ly_walk ly_walk(const struct ly_code *code, const struct ly_function *function,
                       const struct ly_roots *roots);
/** The next instruction, and what the registers hold before it; NULL: the function ends, or has been long. */
const struct x86_instruction *ly_step(struct ly_walk *walk, uint8_t before[X86_RIP]);

/** Does the instruction use memory? And a word of the thread's record? */
bool ly_is_memory(const struct x86_instruction *x86);
bool ly_is_record(const struct x86_instruction *x86);
/** Does it use memory relative to a register that holds WHAT? */
bool ly_uses(const struct x86_instruction *x86, const uint8_t holds[X86_RIP], enum ly_holds what);
/** Does it add a number to a register of 64 bits, or subtract one? */
bool ly_is_sum(const struct x86_instruction *x86, int64_t *ret);
/** The number that is added to a register that holds WHAT, by whichever instruction. */
bool ly_adds(const struct x86_instruction *x86, const uint8_t holds[X86_RIP], enum ly_holds what,
             int64_t *ret);

#endif
