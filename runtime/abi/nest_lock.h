/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Nestable locks: 8 bytes, which every compiler's omp_nest_lock_t has room for. The first four are the mutex word, so a
 * debugger tells the owner as of a simple lock; the rest says which task of that thread has it, and how often.
 *
 * A nestable lock belongs to a task (OpenMP 5.2 section 18.9). The task is known by the low half of its serial: two
 * tasks of one thread that are 65536 apart would be taken for one.
 */
#ifndef RT_ABI_NEST_LOCK_H
#define RT_ABI_NEST_LOCK_H

#include "../core/rt.h"

struct nest_lock {
    _Atomic uint32_t mutex;
    uint16_t count; /**< owner only, like the next */
    uint16_t task;
};

static inline uint16_t nest_lock_task(struct rt_thread *th)
{
    return (uint16_t)rt_load(rt_load(th->cur_task)->serial);
}

static inline int nest_lock_is_held(struct rt_thread *th, const struct nest_lock *lock)
{
    return (rt_load(lock->mutex) & ~1u) == rt_mutex_mine(th) && lock->task == nest_lock_task(th);
}

static inline void nest_lock_init(struct nest_lock *lock)
{
    lock->count = 0;
    lock->task = 0;
    rt_publish(lock->mutex, 0);
}

static inline void nest_lock_set(struct nest_lock *lock, uint64_t codeptr)
{
    static const struct rt_wait_as as_nest_lock = {RT_STATE_LOCK, RT_WAIT_NEST_LOCK};
    struct rt_thread *th = rt_me();
    if (!nest_lock_is_held(th, lock)) {
        rt_mutex_lock(th, &lock->mutex, as_nest_lock, lock, codeptr);
        lock->task = nest_lock_task(th);
    }
    lock->count++;
}

static inline void nest_lock_unset(struct nest_lock *lock)
{
    if (--lock->count == 0)
        rt_mutex_unlock(&lock->mutex);
}

/** The new count, 0 = somebody else has it. */
static inline int nest_lock_test(struct nest_lock *lock)
{
    struct rt_thread *th = rt_me();
    if (!nest_lock_is_held(th, lock)) {
        if (!rt_mutex_try(th, &lock->mutex))
            return 0;
        lock->task = nest_lock_task(th);
    }
    return ++lock->count;
}

#endif
