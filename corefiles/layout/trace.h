/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Follows a function of a runtime along all its ways, into the functions that it calls too, and lists what it
 * does to memory in terms of pointers (words.h). So the same source shows the same, whichever compiler and
 * options made the code of it.
 */
#ifndef COREFILES_LAYOUT_TRACE_H
#define COREFILES_LAYOUT_TRACE_H

#include "corefiles/layout/code.h"
#include "corefiles/layout/operation.h"
#include "corefiles/layout/words.h"

enum { LY_ACCESSES_MAX = 4096 };

struct ly_trace {
    struct ly_pointers pointers;
    struct ly_access *list; /**< of the accesses that are no spills to the stack */
    size_t count;
};

/** -1: no memory. A function that is too large is followed as far as it is affordable. */
int ly_trace(const struct ly_image *image, const struct ly_code *code, const struct ly_function *function,
             struct ly_trace *ret) LY_WARN_UNUSED;
/** The same of the function that begins at FUNCTION, exported or not, without those that it calls. */
int ly_trace_alone(const struct ly_image *image, const struct ly_code *code, uint64_t function,
                   struct ly_trace *ret) LY_WARN_UNUSED;
void ly_trace_free(struct ly_trace *trace);

/** Where a function keeps an argument. */
struct ly_slot {
    uint8_t base; /**< enum x86_register */
    bool memory;  /**< the word at base + offset, else the register's value */
    unsigned offset;
};
/** Where FUNCTION keeps its third argument while it waits: at all of its calls, as it may do so in any. 1: it
 * is not in one place. */
int ly_kept(const struct ly_image *image, const struct ly_code *code, const struct ly_function *function,
            struct ly_slot *ret) LY_WARN_UNUSED;

/** Bytes from the stack pointer at PC to the caller's, by what the function's instructions do to it: where it
 * has a frame pointer, the unwind tables count from that. 0: not known. */
unsigned ly_stack_depth(const struct ly_image *image, const struct ly_code *code, uint64_t pc);

/** The first access of SIZE bytes (0: any) by POINTER that does at least HOW; NULL: there is none. */
const struct ly_access *ly_first(const struct ly_trace *trace, uint16_t pointer, unsigned size, unsigned how);
/** Are SIZE bytes read there? */
bool ly_reads(const struct ly_trace *trace, uint16_t pointer, int32_t offset, unsigned size);
/** The first element by which something is read of a list of pointers to which a variable of the file points.
 * LY_UNKNOWN: none. */
uint16_t ly_first_element(const struct ly_trace *trace);

#endif
