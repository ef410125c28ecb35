/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The short way of a task that is created and run at once: in a team of one, and undeferred. The entry points
 * inline it, since such a task costs less than the calls between layers would (bench: task-serial, task-if0).
 */
#ifndef RT_TASK_INLINE_H
#define RT_TASK_INLINE_H

#include "arch.h"
#include "deque.h"
#include "detach.h"
#include "event.h"
#include "reduction.h"
#include "root.h"
#include "state.h"
#include "task_slot.h"

/** Events of a new task that is run at once. */
#define RT_ON_RUN_NEW (RT_ON_CREATE | RT_ON_SCHEDULE | RT_ON_DISPATCH)

/*
 * What a new task inherits: its region, its creator's number there, the ICVs and whether it is final. These
 * words stay in a slot when its task is over, and mostly they are right for the next one. So all tasks that
 * have inherited the same have the same stamp: that of an implicit task is its serial; it becomes 0 when a
 * task changes one of these words, or a tool may, and a serial of its own when such a task creates another.
 * (The creator's number: a heap's slots are filled by its owner.)
 */

/** A slot for a task with so many bytes. A slot's owner and class never change. */
static inline struct rt_task *rt_task_slot(struct rt_thread *th, size_t bytes)
{
    if (likely(bytes <= RT_TASK_BYTES))
        return rt_slot_take(th->heap, RT_CLASS_TASK);
    return rt_task_slot_large(th, bytes);
}

/**
 * A slot for a task of at most RT_TASK_BYTES, with all that it inherits; NULL if there is none like that, or
 * no serial is left. An entry point that then leaves the rest to a function of its own calls nothing on its
 * short way, saves no registers, and copies nothing.
 */
static inline struct rt_task *rt_task_slot_stamped(struct rt_thread *th, const struct rt_task *parent)
{
    RT_TRACK(if (unlikely(th->task_serials.next == th->task_serials.end)) return NULL);
    struct rt_heap *heap = th->heap;
    struct rt_task *task = (struct rt_task *)heap->free[RT_CLASS_TASK];
    uint64_t stamp = rt_load(parent->stamp);
    /* A free slot is its owner's alone: a plain load, which is part of the comparison. */
    if (unlikely(task == NULL || *(const uint64_t *)&task->stamp != stamp || stamp == 0))
        return NULL;
    heap->free[RT_CLASS_TASK] = ((struct rt_slot *)task)->next;
    return task;
}

/** Copies what a task inherits from its parent, unless the slot's last task has inherited the same. */
static inline __attribute__((always_inline)) void rt_task_inherit(struct rt_thread *th, struct rt_task *task,
                                                                  struct rt_task *parent)
{
    uint64_t stamp = rt_load(parent->stamp);
    if (unlikely(stamp == 0)) {
        stamp = rt_task_serial(th);
        rt_store(parent->stamp, stamp);
    }
    if (rt_load(task->stamp) == stamp)
        return;
    task->team = parent->team;
    task->team_serial = parent->team_serial;
    task->creator_thread_num = rt_load(th->implicit->thread_num);
    task->icvs = parent->icvs;
    task->icvs.tool_data = 0;
    rt_store(task->stamp, stamp);
}

/**
 * A new child of the current task, without what rt_task_inherit does. Fields that a task always leaves as it
 * found them need no store here: frames, lock, npred, successors, deps, marks, priority and event are zero
 * and counts is RT_REF in a slot that was never used and again when a task is complete. What belongs to
 * execution (thread, thread_num, sched_parent) is stored when it starts.
 */
static inline __attribute__((always_inline)) void rt_task_init(struct rt_task *task, struct rt_task *parent,
                                                               uint32_t flags, uint64_t fn,
                                                               const struct rt_loc *loc, uint64_t codeptr,
                                                               uint32_t state)
{
    task->parent = parent;
    task->fn = fn;
    task->codeptr = codeptr;
    task->loc = loc;
    rt_store(task->flags_and_state, (uint64_t)state << 32 | flags | (parent->flags & RT_TASK_FINAL));
    task->depth = parent->depth + 1;
    task->taskgroup = parent->taskgroup;
}

static inline __attribute__((always_inline)) struct rt_task *rt_task_new(struct rt_thread *th, uint32_t flags,
                                                                         size_t payload, uint64_t fn,
                                                                         const struct rt_loc *loc,
                                                                         uint64_t codeptr)
{
    struct rt_task *parent = rt_load(th->cur_task), *task = rt_task_slot(th, RT_TASK_PAYLOAD + payload);
    rt_task_init(task, parent, flags, fn, loc, codeptr, RT_TS_CREATED);
    rt_task_inherit(th, task, parent);
    RT_TRACK(rt_publish(task->serial, rt_task_serial(th)));
    return task;
}

/** The serial of a task whose slot is from rt_task_slot_stamped. */
static inline void rt_task_publish_stamped(struct rt_thread *th, struct rt_task *task)
{
    RT_TRACK(rt_publish(task->serial, th->task_serials.next++));
    (void)th, (void)task;
}

/** What belongs to execution, except the state and the frame. `below`: the thread's current task. */
static inline void rt_task_enter(struct rt_thread *th, struct rt_task *task, struct rt_task *below,
                                 int32_t thread_num)
{
    rt_store(task->sched_parent, below);
    RT_TRACK(rt_store(task->thread, th));
    RT_TRACK(rt_store(task->thread_num, thread_num));
    (void)thread_num;
}

/**
 * What every end of a task passes: ompd_bp_task_end. Its code has ended, and the thread goes back to the task
 * below. OVER: nobody counts it, so that is all: the slot is free and the encountering task goes on. Returns
 * 0. As the last act of an entry point it costs one jump: such a task costs mostly jumps, calls and returns.
 */
int32_t rt_task_ended(struct rt_thread *th, struct rt_task *task, int over);

/** Its code has ended: goes back to the task below, and returns that. */
static inline __attribute__((always_inline)) struct rt_task *rt_task_leave(struct rt_thread *th,
                                                                           struct rt_task *task)
{
    struct rt_task *below = rt_load(task->sched_parent);
    rt_task_ended(th, task, 0);
    if (RT_WANTS(RT_ON_SCHEDULE))
        rt_report_leave(th, task);
    return below;
}

/**
 * Not 0 when a task that nobody counts has something to undo; without a mark its counts and deps are as in a
 * new slot. One of a detachable task's marks is stored by who fulfils its event, at any time; its others are
 * not 0 then.
 */
static inline uint64_t rt_task_cleanup(const struct rt_task *task)
{
    return __atomic_load_n(&task->marks, __ATOMIC_RELAXED);
}

/**
 * The end of a task that nobody counts and that has something to undo; returns the task below, which is the
 * encountering one and goes on.
 */
struct rt_task *rt_task_end_slow(struct rt_thread *th, struct rt_task *task);

/**
 * The end of a task that nobody counts; its code has ended. From here on a child may complete, and no more
 * happens. Returns the task below, which goes on.
 */
static inline __attribute__((always_inline)) struct rt_task *
rt_task_end_uncounted(struct rt_thread *th, struct rt_task *task, uint64_t cleanup)
{
    if (unlikely(cleanup != 0))
        return rt_task_end_slow(th, task);
    struct rt_task *below = rt_task_leave(th, task);
    rt_slot_free(th->heap, RT_CLASS_TASK, (struct rt_slot *)task);
    return below;
}

/** The same of a task whose beginning no tool was told of: so none is told of its end. Returns 0. */
static inline __attribute__((always_inline)) int32_t
rt_task_end_untold(struct rt_thread *th, struct rt_task *task, uint64_t cleanup)
{
    if (likely(cleanup == 0))
        return rt_task_ended(th, task, 1);
    struct rt_task *below = rt_task_end_slow(th, task);
    RT_TRACK(rt_store(below->enter_frame, 0));
    (void)below;
    return 0;
}

/**
 * In a team of several: whether the current task runs a new one at once that asks for nothing, since enough
 * others are queued. A tool is told of deferred tasks, and a cancelled one does not run (submit.c).
 */
static inline int rt_creator_runs(const struct rt_thread *th)
{
    return rt_queue_is_full(th, rt_own_deque(th)) && !rt_root.cancellation && !RT_WANTS(RT_ON_RUN_NEW);
}

#endif
