/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Mutexes: words of the program that locks, criticals and others are made of.
 */
#ifndef RT_MUTEX_H
#define RT_MUTEX_H

#include "event.h"
#include "state.h"
#include "thread.h"

struct rt_wait_as {
    uint32_t state, kind; /**< enum rt_state, RT_WAIT_* */
};
void rt_mutex_lock_slow(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                        const void *object, uint64_t codeptr);
void rt_mutex_wake(_Atomic uint32_t *word);
/** What a thread stores in a mutex word that it holds. */
static inline uint32_t rt_mutex_mine(struct rt_thread *th)
{
    return th->lock_number << RT_MUTEX_SHIFT;
}
static inline int rt_mutex_try(struct rt_thread *th, _Atomic uint32_t *word)
{
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(word, &expected, rt_mutex_mine(th), memory_order_acquire,
                                                   memory_order_relaxed);
}
RT_COLD void rt_mutex_lock_instrumented(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                        const void *object, uint64_t codeptr, uint32_t hint);
static inline void rt_mutex_lock(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                 const void *object, uint64_t codeptr)
{
    if (RT_WANTS(RT_ON_ACQUIRE | RT_ON_ACQUIRED))
        rt_mutex_lock_instrumented(th, word, as, object, codeptr, 0);
    else if (unlikely(!rt_mutex_try(th, word)))
        rt_mutex_lock_slow(th, word, as, object, codeptr);
}
/** Without an event: for locks that tools do not see, or whose events are reported elsewhere. */
static inline void rt_mutex_lock_plain(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                       const void *object, uint64_t codeptr)
{
    if (unlikely(!rt_mutex_try(th, word)))
        rt_mutex_lock_slow(th, word, as, object, codeptr);
}

/** The exchange releases what its owner did; who takes the free word acquires that (litmus: mutex). */
static inline void rt_mutex_unlock(_Atomic uint32_t *word)
{
    if (unlikely(atomic_exchange_explicit(word, 0, memory_order_release) & 1))
        rt_mutex_wake(word);
}

#endif
