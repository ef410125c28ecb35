/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Mutexes as the entry points of criticals and locks use them.
 */
#ifndef RT_CRITICAL_H
#define RT_CRITICAL_H

#include "attach.h"
#include "mutex.h"

/**
 * Takes a critical's mutex if the thread is known, the mutex is free and no tool wants the event. Otherwise
 * the caller calls rt_critical_any, and only then looks up the return address: the short path needs no frame,
 * so there are fewer stores between two locked instructions.
 */
static inline int rt_critical_quick(_Atomic uint32_t *word)
{
    struct rt_thread *th = rt_self;
    return likely(th != NULL) && !RT_WANTS(RT_ON_ACQUIRE | RT_ON_ACQUIRED) && likely(rt_mutex_try(th, word));
}
void rt_critical_any(_Atomic uint32_t *word, const void *object, uint64_t codeptr);

RT_COLD void rt_mutex_unlock_instrumented(_Atomic uint32_t *word, uint32_t kind, const void *object,
                                          uint64_t codeptr);
/**
 * Releases a mutex and reports it; kind RT_WAIT_*. A macro, because the path without a tool has no use
 * for codeptr, and needs no frame of its own to find it.
 */
#define RT_MUTEX_UNLOCK(word, kind, object, codeptr)                         \
    do {                                                                     \
        if (RT_WANTS(RT_ON_RELEASED))                                        \
            rt_mutex_unlock_instrumented((word), (kind), (object), codeptr); \
        else                                                                 \
            rt_mutex_unlock(word);                                           \
    } while (0)

#endif
