/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What one instruction does to the words of a state (words.h), and to memory.
 */
#ifndef COREFILES_LAYOUT_OPERATION_H
#define COREFILES_LAYOUT_OPERATION_H

#include "corefiles/layout/words.h"

/** Bits: what is done to memory. */
enum { LY_READS = 1, LY_STORES = 2, LY_ATOMIC = 4 /**< in one step: with lock, or exchanged */ };

struct ly_access {
    uint32_t steps; /**< instructions from the function's start, on the shortest way */
    uint16_t pointer;
    int32_t offset;
    uint8_t size;
    uint8_t how;
    struct ly_word stored; /**< by a plain store */
};

/** Changes STATE as the instruction does, but for where it goes on. ACCESS: what it does to memory by a
 * pointer that is known; how is 0: nothing, or to the stack. */
void ly_operate(struct ly_pointers *pointers, const struct x86_instruction *x86, struct ly_state *state,
                struct ly_access *access);
/** Is it a move that depends on a condition? Then *ret is the state in which it is made; ly_operate leaves it
 * out. */
bool ly_moves_if(struct ly_pointers *pointers, const struct x86_instruction *x86,
                 const struct ly_state *state, struct ly_state *ret);

void ly_push(struct ly_state *state, struct ly_word word);
struct ly_word ly_pop(struct ly_state *state);
/** What lies below the stack pointer is nobody's. */
void ly_forget_below(struct ly_state *state);

#endif
