/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Mutexes of criticals and locks: with tools, and in threads that OpenMP does not know yet.
 */

#include "critical.h"

void rt_mutex_any(_Atomic uint32_t *word, struct rt_wait_as as, const void *object, uint64_t codeptr)
{
    rt_mutex_lock(rt_me(), word, as, object, codeptr);
}

void rt_mutex_unlock_instrumented(_Atomic uint32_t *word, uint32_t kind, const void *object, uint64_t codeptr)
{
    rt_mutex_unlock(word);
    RT_EVENT(rt_me(), RT_ON_RELEASED, .what = kind, .object = object, .codeptr = codeptr,
             .frame = (uint64_t)(uintptr_t)__builtin_frame_address(0));
}
