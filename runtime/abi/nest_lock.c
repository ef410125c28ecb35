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

static void nest_lock_wait(struct rt_thread *th, struct nest_lock *lock, struct nest_owner me,
                           struct rt_caller caller)
{
    if (!rt_mutex_try_as(&lock->mutex, me.mutex))
        rt_mutex_lock_slow(th, &lock->mutex, as_nest_lock, lock, caller.codeptr, me.mutex);
}

static RT_COLD void nest_lock_set_told(struct nest_lock *lock, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    struct nest_owner me = nest_lock_me(th);
    int held = nest_lock_is_held(lock, me);
    nest_lock_report(th, RT_ON_ACQUIRE, 0, 0, lock, caller);
    if (held) {
        lock->count++;
    } else {
        nest_lock_wait(th, lock, me, caller);
        nest_lock_got(lock, me);
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
    struct nest_owner me = nest_lock_me(th);
    if (nest_lock_is_held(lock, me)) {
        lock->count++;
        return;
    }
    nest_lock_wait(th, lock, me, caller);
    nest_lock_got(lock, me);
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
    struct nest_owner me = nest_lock_me(th);
    int held = nest_lock_is_held(lock, me);
    nest_lock_report(th, RT_ON_ACQUIRE, 0, 1, lock, caller);
    if (held)
        lock->count++;
    else if (rt_mutex_try_as(&lock->mutex, me.mutex))
        nest_lock_got(lock, me);
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
