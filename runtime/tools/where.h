/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where the calling thread is, for inquiry functions that may run in a signal handler at any instant.
 *
 * A thread whose region is over still has its implicit task as the current one, until the next region: the
 * team's serial tells (layout.def). Slots are never unmapped, so what is read of a region that another thread
 * ends meanwhile is stale at worst; the serial is looked at again after the reading. These words of a task
 * are written and read whole (__atomic), because of that.
 */
#ifndef RT_TOOLS_WHERE_H
#define RT_TOOLS_WHERE_H

#include "../core/state.h"

static inline struct rt_team *where_team(const struct rt_task *task)
{
    return __atomic_load_n(&task->team, __ATOMIC_RELAXED);
}

static inline uint64_t where_region(const struct rt_task *task)
{
    return __atomic_load_n(&task->team_serial, __ATOMIC_RELAXED);
}

static inline uint32_t where_flags(const struct rt_task *task)
{
    return __atomic_load_n(&task->flags, __ATOMIC_RELAXED);
}

static inline int where_is_over(const struct rt_task *task)
{
    struct rt_team *team = where_team(task);
    return team == NULL || rt_acquire(team->serial) != where_region(task);
}

/** The calling thread's current task; NULL: it is in no region, or no OpenMP thread. */
static inline struct rt_task *where_task(void)
{
    const struct rt_thread *th = rt_self;
    struct rt_task *task = th != NULL ? rt_acquire(th->cur_task) : NULL;
    return task != NULL && !where_is_over(task) ? task : NULL;
}

/** The task that met a task's region; NULL of an initial thread's, or when the region is over meanwhile. */
static inline struct rt_task *where_encountering(const struct rt_task *task)
{
    struct rt_task *outer = __atomic_load_n(&where_team(task)->parent_task, __ATOMIC_RELAXED);
    return where_is_over(task) ? NULL : outer;
}

/**
 * The task that has generated this one, or, of an implicit task, met its region: it may have ended, but its
 * slot is kept.
 */
static inline struct rt_task *where_generating(const struct rt_task *task)
{
    return where_flags(task) & RT_TASK_EXPLICIT ? __atomic_load_n(&task->parent, __ATOMIC_RELAXED)
                                                : where_encountering(task);
}

/** Whether a thread's wait_id means something in this state. */
static inline int where_waits(uint32_t state)
{
    return state >= RT_STATE_BARRIER && state < RT_STATE_IDLE;
}

/**
 * The task that was set aside for this one: on the same stack, or, of an implicit task, the one that met the
 * region.
 */
static inline struct rt_task *where_below(const struct rt_task *task)
{
    return where_flags(task) & RT_TASK_EXPLICIT ? rt_acquire(task->sched_parent) : where_encountering(task);
}

#endif
