/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The short way of a task that is created and run at once: in a team of one, and undeferred. The entry points inline it,
 * since such a task costs less than the calls between layers would (bench: task-serial, task-if0).
 */
#ifndef RT_TASK_INLINE_H
#define RT_TASK_INLINE_H

#include "rt.h"

/** A slot for a task with so many bytes. A slot's owner and class never change. */
static inline struct rt_task *rt_task_slot(struct rt_thread *th, size_t bytes)
{
    if (likely(bytes <= 512)) {
        struct rt_task *task = rt_slot_take(th->heap, RT_CLASS_TASK);
        if (unlikely(task->heap == NULL)) {
            task->heap = th->heap;
            task->class = RT_CLASS_TASK;
        }
        return task;
    }
    return rt_task_slot_large(th, bytes);
}

/**
 * A new task of the current one. What a task has left as it found it needs no store here: frames, lock, npred, successors
 * and deps are zero in a slot that was never used and again when a task is complete. What belongs to execution (thread,
 * thread_num, sched_parent) is stored when it starts.
 */
static inline __attribute__((always_inline)) struct rt_task *rt_task_new(struct rt_thread *th, uint32_t flags,
                                                                         size_t payload, uint64_t fn,
                                                                         const struct rt_loc *loc,
                                                                         uint64_t codeptr)
{
    struct rt_task *task = rt_task_slot(th, RT_TASK_PAYLOAD + payload);
    struct rt_task *parent = rt_load(th->cur_task);
    task->team = parent->team;
    task->team_serial = parent->team_serial;
    task->parent = parent;
    task->fn = fn;
    task->codeptr = codeptr;
    task->loc = loc;
    task->flags = flags | (parent->flags & RT_TASK_FINAL);
    rt_store(task->state, RT_TS_CREATED);
    task->creator_thread_num = rt_load(th->implicit->thread_num);
    task->depth = parent->depth + 1;
    atomic_store_explicit(&task->counts, RT_REF, memory_order_relaxed);
    task->taskgroup = parent->taskgroup;
    task->priority = 0;
    rt_store(task->event, RT_EVENT_NONE);
    task->marks = 0;
    task->icvs = parent->icvs;
    RT_TRACK(rt_publish(task->serial, rt_task_serial(th)));
    return task;
}

/** The end of a task that nobody counts; its code has ended. */
static inline __attribute__((always_inline)) void rt_task_end_uncounted(struct rt_thread *th,
                                                                        struct rt_task *task)
{
    if (likely(task->marks == 0 && task->deps == NULL && rt_acquire(task->counts) == RT_REF &&
               task->heap == th->heap && task->class == RT_CLASS_TASK))
        rt_slot_free(th->heap, RT_CLASS_TASK, (struct rt_slot *)task);
    else
        rt_task_complete(th, task);
}

/** In a team of one, without event or dependences: a new task may run as it is submitted. */
static inline int rt_task_is_simple(const struct rt_thread *th, const struct rt_task *task)
{
    return task->team->nthreads == 1 && rt_load(task->event) == RT_EVENT_NONE &&
           !(task->flags & (RT_TASK_UNTIED | RT_TASK_DESTRUCTORS)) && task != rt_load(th->cur_task);
}

#endif
