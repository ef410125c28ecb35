/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The lock routines with a tool that wants events of locks. They do the same as nest_lock.h and core/mutex.h,
 * with the events around it (OpenMP 5.2 section 18.9: lock-acquire, acquired, nest-lock-owned, held,
 * release).
 */

#include "../core/attach.h"
#include "../core/mutex.h"
#include "nest_lock.h"

static void nest_lock_report(struct rt_thread *th, uint32_t on, int end, int test,
                             const struct nest_lock *lock, struct rt_caller caller)
{
    RT_EVENT(th, on, .end = (uint8_t)end, .what = RT_WAIT_NEST_LOCK, .test = (uint8_t)test, .object = lock,
             .codeptr = caller.codeptr, .frame = caller.frame);
}

static RT_COLD void nest_lock_set_told(struct nest_lock *lock, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    uint16_t task = nest_lock_task(th);
    int held = nest_lock_is_held(th, lock, task);
    nest_lock_report(th, RT_ON_ACQUIRE, 0, 0, lock, caller);
    if (held) {
        lock->count++;
    } else {
        rt_mutex_lock_plain(th, &lock->mutex, as_nest_lock, lock, caller.codeptr);
        nest_lock_got(lock, task);
    }
    nest_lock_report(th, held ? RT_ON_NEST : RT_ON_ACQUIRED, 0, 0, lock, caller);
}

void nest_lock_set_any(struct nest_lock *lock, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    if (RT_WANTS(RT_ON_MUTEX)) {
        nest_lock_set_told(lock, caller);
        return;
    }
    uint16_t task = nest_lock_task(th);
    if (nest_lock_is_held(th, lock, task)) {
        lock->count++;
        return;
    }
    rt_mutex_lock_plain(th, &lock->mutex, as_nest_lock, lock, caller.codeptr);
    nest_lock_got(lock, task);
}

void nest_lock_unset_told(struct nest_lock *lock, struct rt_caller caller)
{
    uint16_t left = --lock->count;
    if (left == 0)
        rt_mutex_unlock(&lock->mutex);
    nest_lock_report(rt_me(), left == 0 ? RT_ON_RELEASED : RT_ON_NEST, 1, 0, lock, caller);
}

int nest_lock_test_told(struct nest_lock *lock, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    uint16_t task = nest_lock_task(th);
    int held = nest_lock_is_held(th, lock, task);
    nest_lock_report(th, RT_ON_ACQUIRE, 0, 1, lock, caller);
    if (held)
        lock->count++;
    else if (rt_mutex_try(th, &lock->mutex))
        nest_lock_got(lock, task);
    else
        return 0;
    nest_lock_report(th, held ? RT_ON_NEST : RT_ON_ACQUIRED, 0, 1, lock, caller);
    return lock->count;
}

int lock_test_told(_Atomic uint32_t *lock, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    RT_EVENT(th, RT_ON_ACQUIRE, .what = RT_WAIT_LOCK, .test = 1, .object = lock, .codeptr = caller.codeptr,
             .frame = caller.frame);
    int got = rt_mutex_try(th, lock);
    if (got)
        RT_EVENT(th, RT_ON_ACQUIRED, .what = RT_WAIT_LOCK, .test = 1, .object = lock,
                 .codeptr = caller.codeptr, .frame = caller.frame);
    return got;
}
