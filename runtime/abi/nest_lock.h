/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Nestable locks: 8 bytes, which every compiler's omp_nest_lock_t has room for. The first four are the mutex
 * word, so a debugger tells the owner as of a simple lock; the rest says which task of that thread has it,
 * and how often.
 *
 * A nestable lock belongs to a task (OpenMP 5.2 section 18.9). A tied one is known by its thread and the low
 * 16 bits of its serial: two tasks of one thread that are 65536 apart would be taken for one. An untied one
 * may go on in another thread: so its word has no thread's number, but 30 bits of its own serial. (The other
 * 16 would say no more: until a thread has stored its own behind the word it finds an earlier owner's.)
 */
#ifndef RT_ABI_NEST_LOCK_H
#define RT_ABI_NEST_LOCK_H

#include "../core/attach.h"
#include "../core/mutex.h"

struct nest_lock {
    _Atomic uint32_t mutex;
    uint16_t count; /**< owner only, like the next; both are left as they were when the lock is given back */
    uint16_t task;
};

/** Who sets a lock: what it stores there. */
struct nest_owner {
    uint32_t mutex;
    uint16_t task;
};

static inline struct nest_owner nest_lock_me(struct rt_thread *th)
{
    const struct rt_task *task = rt_load(th->cur_task);
    uint64_t serial = rt_load(task->serial);
    uint32_t mine = rt_mutex_mine(th);
    if (unlikely(task->flags & RT_TASK_UNTIED))
        mine = (RT_MUTEX_TASK | ((uint32_t)serial & (RT_MUTEX_TASK - 1))) << RT_MUTEX_SHIFT;
    return (struct nest_owner){mine, (uint16_t)serial};
}

static inline int nest_lock_is_held(const struct nest_lock *lock, struct nest_owner me)
{
    return (rt_load(lock->mutex) & ~1u) == me.mutex && lock->task == me.task;
}

/** It was free, and is the task's now. What it says of the task before is overwritten here only. */
static inline void nest_lock_got(struct nest_lock *lock, struct nest_owner me)
{
    lock->task = me.task;
    lock->count = 1;
}

static inline void nest_lock_init(struct nest_lock *lock)
{
    lock->count = 0;
    lock->task = 0;
    rt_publish(lock->mutex, 0);
}

/**
 * Creation and end of a lock, in the routine that does it. The first such call may be what starts the
 * runtime.
 */
#define TELL_INIT(kind, its_hint)                                                                    \
    do {                                                                                             \
        struct rt_thread *me = rt_me();                                                              \
        RT_EVENT(me, RT_ON_LOCK_INIT, .what = (kind), .flags = (uint32_t)(its_hint), .object = lock, \
                 .codeptr = RT_CALLER().codeptr, .frame = RT_CALLER().frame);                        \
    } while (0)
#define TELL_DESTROY(kind)                                                                                \
    RT_EVENT(rt_me(), RT_ON_LOCK_DESTROY, .what = (kind), .object = lock, .codeptr = RT_CALLER().codeptr, \
             .frame = RT_CALLER().frame)

static const struct rt_wait_as as_nest_lock = {RT_STATE_LOCK, RT_WAIT_NEST_LOCK};

/** What the short path does not do. */
void nest_lock_set_any(struct nest_lock *lock, struct rt_caller caller);
/** The same as those below, for a tool (nest_lock.c). */
RT_COLD void nest_lock_unset_told(struct nest_lock *lock, struct rt_caller caller);
RT_COLD int nest_lock_test_told(struct nest_lock *lock, struct rt_caller caller);
RT_COLD int lock_test_told(_Atomic uint32_t *lock, struct rt_caller caller);

/**
 * Takes it if the thread is known, nobody else has it and no tool wants the event; else the caller calls
 * nest_lock_set_any. As rt_mutex_try_quick.
 */
static inline int nest_lock_try_quick(struct nest_lock *lock)
{
    struct rt_thread *th = rt_self;
    if (unlikely(th == NULL) || RT_WANTS(RT_ON_MUTEX))
        return 0;
    struct nest_owner me = nest_lock_me(th); /* loads behind the locked instruction would wait for it */
    if (rt_load(lock->mutex) != 0) {
        if (!nest_lock_is_held(lock, me))
            return 0; /* count is the owner's */
        lock->count++;
        return 1;
    }
    if (unlikely(!rt_mutex_try_as(&lock->mutex, me.mutex)))
        return 0;
    nest_lock_got(lock, me);
    return 1;
}

/** With an event if a tool wants that. A macro, as RT_MUTEX_UNLOCK. */
#define NEST_LOCK_UNSET(lock)                                                                     \
    do {                                                                                          \
        uint32_t wanted = rt_load(rt_wanted) & (RT_WANTED(RT_ON_MUTEX) | RT_MUTEX_NOT_ALL_QUIET); \
        if (unlikely((wanted & ~RT_MUTEX_NOT_ALL_QUIET) != 0))                                    \
            nest_lock_unset_told(lock, RT_CALLER());                                              \
        else if ((lock)->count > 1)                                                               \
            (lock)->count--;                                                                      \
        else if (likely(wanted == 0))                                                             \
            rt_mutex_unlock_quick(&(lock)->mutex);                                                \
        else                                                                                      \
            rt_mutex_unlock_slow(&(lock)->mutex);                                                 \
    } while (0)

/** The new count, 0 = somebody else has it. */
static inline int nest_lock_test(struct nest_lock *lock, struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_MUTEX))
        return nest_lock_test_told(lock, caller);
    struct rt_thread *th = rt_me();
    struct nest_owner me = nest_lock_me(th);
    if (nest_lock_is_held(lock, me))
        return ++lock->count;
    if (!rt_mutex_try_as(&lock->mutex, me.mutex))
        return 0;
    nest_lock_got(lock, me);
    return 1;
}

#endif
