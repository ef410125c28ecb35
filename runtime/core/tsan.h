/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Hints for ThreadSanitizer.
 */
#ifndef RT_TSAN_H
#define RT_TSAN_H

#include "base.h"

/**
 * ThreadSanitizer, if it is in the process. It sees what the program does with a task's private data, but not
 * this library, which is not instrumented: that a slot which another thread has left is a new task's from
 * some time on. Told of that, it does not take the two tasks' accesses for a race. (Of what OpenMP orders it
 * learns from an OMPT tool, Archer.)
 */
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));
/** What this thread did before is before what a thread does behind rt_tsan_acquire of the same address. */
static inline void rt_tsan_release(void *address)
{
    if (unlikely(__tsan_release != NULL))
        __tsan_release(address);
}
static inline void rt_tsan_acquire(void *address)
{
    if (unlikely(__tsan_acquire != NULL))
        __tsan_acquire(address);
}

#endif
