/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of clang's ABI share. Every call gets the global thread number, but the calling thread's own
 * pointer is one load away and never wrong, so it is not used.
 */
#ifndef RT_ABI_KMPC_H
#define RT_ABI_KMPC_H

#include "../core/state.h"

/* ident_t flags (docs/abi/kmpc.md 1.1). */
enum {
    LOC_ATOMIC_REDUCE = 0x10,
    LOC_BARRIER_EXPLICIT = 0x20,
    LOC_BARRIER_IMPLICIT = 0x40,
    LOC_WORK_SECTIONS = 0x400,
};

/** What a barrier is for, from the flags that the compiler gives with it. */
static inline enum rt_state kmpc_barrier_state(const struct rt_loc *loc)
{
    if (loc != NULL && loc->flags & LOC_BARRIER_IMPLICIT)
        return RT_STATE_BARRIER_IMPLICIT_WORKSHARE;
    return RT_STATE_BARRIER_EXPLICIT;
}

#endif
