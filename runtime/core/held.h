/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The mutexes that a thread holds, kept for a debugger with OMP_DEBUG=enabled.
 */
#ifndef RT_HELD_H
#define RT_HELD_H

#include "thread.h"

/**
 * The mutexes that a thread holds and where it took them, the latest last; with OMP_DEBUG=enabled
 * (held.c).
 */
#define RT_HELD_MAX 63 /**< further ones have no place */
struct rt_held_place {
    _Atomic uint64_t object, codeptr, kind; /**< kind: RT_WAIT_* */
};
struct rt_held {
    _Atomic uint32_t count;
    struct rt_held_place places[RT_HELD_MAX];
};

/** Once, when the environment is read. */
void rt_held_start(void);
/** The thread ends. */
void rt_held_end(struct rt_thread *th);

#endif
