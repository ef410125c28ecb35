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
/** MINE: what is stored in the word, rt_mutex_mine's or another owner's. */
void rt_mutex_lock_slow(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                        const void *object, uint64_t codeptr, uint32_t mine);
/** What a thread stores in a mutex word that it holds. */
static inline uint32_t rt_mutex_mine(struct rt_thread *th)
{
    return th->lock_number << RT_MUTEX_SHIFT;
}
static inline int rt_mutex_try_as(_Atomic uint32_t *word, uint32_t mine)
{
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(word, &expected, mine, memory_order_acquire,
                                                   memory_order_relaxed);
}
static inline int rt_mutex_try(struct rt_thread *th, _Atomic uint32_t *word)
{
    return rt_mutex_try_as(word, rt_mutex_mine(th));
}
RT_COLD void rt_mutex_lock_instrumented(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                        const void *object, uint64_t codeptr, uint32_t hint);
static inline void rt_mutex_lock(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                 const void *object, uint64_t codeptr)
{
    if (RT_WANTS(RT_ON_ACQUIRE | RT_ON_ACQUIRED))
        rt_mutex_lock_instrumented(th, word, as, object, codeptr, 0);
    else if (unlikely(!rt_mutex_try(th, word)))
        rt_mutex_lock_slow(th, word, as, object, codeptr, rt_mutex_mine(th));
}
/** Without an event: for locks that tools do not see, or whose events are reported elsewhere. */
static inline void rt_mutex_lock_plain(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                       const void *object, uint64_t codeptr)
{
    if (unlikely(!rt_mutex_try(th, word)))
        rt_mutex_lock_slow(th, word, as, object, codeptr, rt_mutex_mine(th));
}

/*
 * How a mutex is released.
 *
 * A thread that sleeps has set a bit in the word, and who releases the mutex must see the bit. An exchange
 * does that and costs 20 cycles; a plain store might overwrite the bit. So while nobody has slept for a mutex
 * it is "quiet": it is released by a store, and a look behind it whether it is quiet still. The first thread
 * that wants to sleep makes it "contended", for good: from then on it is released by an exchange.
 *
 * In between, the thread stores "changing", and has all threads of the process pass a full fence, wherever
 * they are, by membarrier(2). So of this thread and one that has just released the mutex by a store, one sees
 * the other: this one finds the word free, or the other finds "changing" behind its store, and wakes it
 * (litmus: mutex_changing; litmus: mutex_others_bit). Who releases needs a fence for the compiler only. One
 * wake is enough where a store has overwritten the bit: who has slept takes the word with the bit set. Behind
 * the store only the word's address is used, so its memory may be gone.
 *
 * Which of the three a mutex is stands in a table, by a hash of its address. RT_MUTEX_NOT_ALL_QUIET is set
 * behind the first "changing".
 */
enum rt_mutex_use { RT_MUTEX_QUIET, RT_MUTEX_CHANGING, RT_MUTEX_CONTENDED };
#define RT_MUTEX_HASH_BITS 8
extern _Atomic uint8_t rt_mutex_uses[1 << RT_MUTEX_HASH_BITS] __attribute__((visibility("hidden")));
static inline _Atomic uint8_t *rt_mutex_use_of(const _Atomic uint32_t *word)
{
    return &rt_mutex_uses[(uint32_t)(uintptr_t)word * 2654435769U >> (32 - RT_MUTEX_HASH_BITS)];
}
/** Once, behind rt_membarrier_start() and before the first mutex is used. */
void rt_mutex_start(void);
/**
 * Threads of another copy of the runtime may wait for mutexes, too, and know nothing of this table and that
 * bit: all mutexes become contended.
 */
void rt_mutex_share(void);

/** Behind a store that has released it while it was quiet. */
void rt_mutex_wake_unless_quiet(_Atomic uint32_t *word);
/** Releases it in any case. */
void rt_mutex_unlock_slow(_Atomic uint32_t *word);
/**
 * Only while all are quiet. What the owner did is released; who takes the free word acquires it (litmus:
 * mutex).
 */
static inline void rt_mutex_unlock_quick(_Atomic uint32_t *word)
{
    rt_publish(*word, 0);
    atomic_signal_fence(memory_order_seq_cst);
    if (unlikely(rt_load(rt_wanted) & RT_MUTEX_NOT_ALL_QUIET))
        rt_mutex_wake_unless_quiet(word);
}
static inline void rt_mutex_unlock(_Atomic uint32_t *word)
{
    if (likely(!(rt_load(rt_wanted) & RT_MUTEX_NOT_ALL_QUIET)))
        rt_mutex_unlock_quick(word);
    else
        rt_mutex_unlock_slow(word);
}

#endif
