/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What registers and the stack of a function hold, as far as they are pointers: each is named by how it was
 * come by, whatever instructions and registers did it.
 */
#ifndef COREFILES_LAYOUT_WORDS_H
#define COREFILES_LAYOUT_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "corefiles/layout/image.h"
#include "machine/x86_64/x86.h"

/** Pointers that every function has; the others are made of them. */
enum {
    LY_UNKNOWN,
    LY_STACK,          /**< the stack pointer at the function's first instruction */
    LY_THREAD_POINTER, /**< of the thread's thread-local memory: what %fs:0 holds */
    LY_RECORD,         /**< the thread's record, the runtime's thread-local variable */
    LY_FILE,           /**< the file's own address 0 */
    LY_NUMBER,         /**< no pointer: the word is the number itself */
    LY_MULTIPLE, /**< no pointer: some number, nobody knows which, times the offset; 0: that is not known */
    LY_ARGUMENT, /**< the function's first argument */
    LY_SECOND_ARGUMENT,
    LY_THIRD_ARGUMENT,
    LY_FIFTH_ARGUMENT,
    LY_SIXTH_ARGUMENT,
    LY_ROOTS
};

/** A word: OFFSET bytes behind what POINTER points at. */
struct ly_word {
    uint16_t pointer;
    int32_t offset;
};

/** How a pointer was come by. */
struct ly_pointer {
    uint16_t parent; /**< it was loaded from OFFSET of that; 0: instruction OFFSET of the file returned it */
    uint16_t depth;  /**< how many loads ago it was a root */
    int32_t offset;
    int32_t stride; /**< not 0: it is PARENT and a multiple of so many bytes, an element of an array there */
};

enum { LY_POINTERS_MAX = 2048, LY_DEPTH_MAX = 5, LY_SLOTS_MAX = 48 };

struct ly_pointers {
    const struct ly_image *image; /**< what its pointers of its own point to is known */
    struct ly_pointer list[LY_POINTERS_MAX];
    uint16_t count; /**< with the roots */
};

/** The pointer that is loaded from OFFSET of PARENT; LY_UNKNOWN: none, or too far from any root. */
uint16_t ly_loaded(struct ly_pointers *pointers, uint16_t parent, int32_t offset);
/** The pointer that the call at PC returns. */
uint16_t ly_returned(struct ly_pointers *pointers, uint64_t pc);
/** An element of the array of elements of STRIDE bytes at PARENT, whichever. */
uint16_t ly_element(struct ly_pointers *pointers, uint16_t parent, int32_t stride);
/** ly_loaded, if that has been loaded. */
uint16_t ly_find_loaded(const struct ly_pointers *pointers, uint16_t parent, int32_t offset);

struct ly_slot_word {
    int32_t at; /**< from LY_STACK */
    struct ly_word word;
};

struct ly_state {
    uint32_t steps; /**< instructions since the function's start */
    uint16_t slot_count;
    struct ly_word registers[X86_RIP];
    struct ly_slot_word slots[LY_SLOTS_MAX]; /**< by place */
};

/** As at a function's start. */
void ly_state_start(struct ly_state *state);
struct ly_word ly_slot_get(const struct ly_state *state, int32_t at);
/** Writes SIZE bytes to the stack: WORD if that is a whole one. What it overlaps is no longer known. */
void ly_slot_set(struct ly_state *state, int32_t at, unsigned size, struct ly_word word);
/** Do both hold the same, however far they have come? */
bool ly_state_equal(const struct ly_state *a, const struct ly_state *b);
/** Keeps in INTO what both hold. */
void ly_state_join(struct ly_state *into, const struct ly_state *other);

#endif
