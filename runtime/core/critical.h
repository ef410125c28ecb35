/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Mutexes as the entry points of criticals and locks use them.
 */
#ifndef RT_CRITICAL_H
#define RT_CRITICAL_H

#include "attach.h"
#include "mutex.h"

/** What a thread is that waits for one. */
static const struct rt_wait_as rt_as_critical = {RT_STATE_CRITICAL, RT_WAIT_CRITICAL};
static const struct rt_wait_as rt_as_lock = {RT_STATE_LOCK, RT_WAIT_LOCK};

/**
 * Takes a mutex if the thread is known, the mutex is free and no tool wants the event. Otherwise the caller
 * calls rt_mutex_any, and only then looks up the return address: the short path needs no frame, so there are
 * fewer stores behind the locked instruction.
 */
static inline int rt_mutex_try_quick(_Atomic uint32_t *word)
{
    struct rt_thread *th = rt_self;
    return likely(th != NULL) && !RT_WANTS(RT_ON_ACQUIRE | RT_ON_ACQUIRED) && likely(rt_mutex_try(th, word));
}
void rt_mutex_any(_Atomic uint32_t *word, struct rt_wait_as as, const void *object, uint64_t codeptr);

RT_COLD void rt_mutex_unlock_instrumented(_Atomic uint32_t *word, uint32_t kind, const void *object,
                                          uint64_t codeptr);
/**
 * Releases a mutex and reports it; kind RT_WAIT_*. A macro, because the path without a tool has no use
 * for codeptr, and needs no frame of its own to find it.
 */
#define RT_MUTEX_UNLOCK(word, kind, object, codeptr)                                                 \
    do {                                                                                             \
        uint32_t wanted = rt_load(rt_wanted) & (RT_WANTED(RT_ON_RELEASED) | RT_MUTEX_NOT_ALL_QUIET); \
        if (likely(wanted == 0))                                                                     \
            rt_mutex_unlock_quick(word);                                                             \
        else if (wanted == RT_MUTEX_NOT_ALL_QUIET)                                                   \
            rt_mutex_unlock_slow(word);                                                              \
        else                                                                                         \
            rt_mutex_unlock_instrumented((word), (kind), (object), codeptr);                         \
    } while (0)

#endif
