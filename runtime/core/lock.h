/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Locks for short sections of the runtime's own. They are released in the child of fork(), see fork.c.
 */
#ifndef RT_LOCK_H
#define RT_LOCK_H

#include "base.h"

/**
 * A lock of rt_lock(), for short sections of the runtime's own. 0: free. Else the two low bits are 1, or 2
 * when somebody may sleep, and the others tell in which process of a line of forks it was taken
 * (rt_lock_taken).
 */
typedef struct {
    _Atomic uint32_t word;
} rt_lock_t;

/**
 * Never held while user code runs, except the two locks under which a tool is looked for and started: no
 * thread may become an OpenMP thread before that is over. Where code of the program must run exclusively it
 * runs under a mutex (mutex.c), so that a debugger sees the threads that wait for it.
 */
void rt_lock_slow(rt_lock_t *lock);
void rt_unlock_wake(rt_lock_t *lock);
/**
 * What a lock's word is while it is held and nobody waits; a number of its own in each child of fork()
 * (fork.c).
 */
extern uint32_t rt_lock_taken __attribute__((visibility("hidden")));
/** Takes it if it is free, which it may be without success: see rt_lock_slow. */
static inline int rt_lock_try(rt_lock_t *lock)
{
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(&lock->word, &expected, rt_lock_taken,
                                                   memory_order_acquire, memory_order_relaxed);
}
static inline void rt_lock(rt_lock_t *lock)
{
    if (unlikely(!rt_lock_try(lock)))
        rt_lock_slow(lock);
}
static inline void rt_unlock(rt_lock_t *lock)
{
    if (unlikely(atomic_exchange_explicit(&lock->word, 0, memory_order_seq_cst) & 2))
        rt_unlock_wake(lock);
}

/* ---- for a few instructions ---------------------------------------------------------------------------- */

/**
 * A lock that is held for a few instructions, or over a fork(). Who waits for it looks again and again, and
 * is never woken: so who lets it go only has to store (litmus: spin). The word is as that of an rt_lock_t,
 * but it never says that somebody sleeps.
 */
typedef struct {
    _Atomic uint32_t word;
} rt_spin_t;

void rt_spin_slow(rt_spin_t *lock);
static inline void rt_spin_lock(rt_spin_t *lock)
{
    uint32_t expected = 0;
    if (unlikely(!atomic_compare_exchange_strong_explicit(&lock->word, &expected, rt_lock_taken,
                                                          memory_order_acquire, memory_order_relaxed)))
        rt_spin_slow(lock);
}
static inline void rt_spin_unlock(rt_spin_t *lock)
{
    rt_publish(lock->word, 0);
}
/** The same by a read-modify-write, for who reads `sleepers` next (rt_notify_work). */
static inline void rt_spin_unlock_rmw(rt_spin_t *lock)
{
    atomic_exchange_explicit(&lock->word, 0, memory_order_seq_cst);
}

/* ---- held over a fork (fork.c), so that what they guard is whole in the child -------------------------- */
#define RT_HIDDEN __attribute__((visibility("hidden")))
extern RT_HIDDEN rt_lock_t rt_collector_lock;     /**< tools/collector_api.c */
extern RT_HIDDEN rt_lock_t rt_units_lock;         /**< tools/units.c */
extern RT_HIDDEN rt_lock_t rt_listeners_lock;     /**< event.c */
extern RT_HIDDEN rt_lock_t rt_kept_lists_lock;    /**< abi/kmpc_parallel.c */
extern RT_HIDDEN rt_lock_t rt_allocatables_lock;  /**< abi/gomp_alloc.c */
extern RT_HIDDEN rt_lock_t rt_allocators_lock;    /**< alloc.c */
extern RT_HIDDEN rt_lock_t rt_threadprivate_lock; /**< threadprivate.c */

#endif
