/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The life of a task's slot: references, counts.
 */
#ifndef RT_TASK_SLOT_H
#define RT_TASK_SLOT_H

#include "slab.h"
#include "task.h"
#include "tsan.h"

/** The slot of a task with much private data. */
struct rt_task *rt_task_slot_large(struct rt_thread *th, size_t bytes);

void rt_task_deref(struct rt_thread *th, struct rt_task *task);
/** Whether a task that has not started is to be dropped. */
int rt_task_cancelled(const struct rt_task *task);
/** The task counts from here on: for its parent, its taskgroup and the barrier. */
void rt_task_count(struct rt_thread *th, struct rt_task *task);
/** The task keeps its parent's slot; COUNTS: RT_REF, and 1 more if the parent has it among its children. */
static inline void rt_task_hold_parent(struct rt_task *task, uint64_t counts)
{
    struct rt_task *parent = task->parent;
    task->owns_parent_ref = 1;
    parent->is_parent = 1;
    atomic_fetch_add_explicit(&parent->counts, counts, memory_order_relaxed);
}
/** A slot of class RT_CLASS_HUGE, which is kept for tasks of the same size. */
void rt_task_slot_huge_free(struct rt_task *task);

/** What rt_task_init relies on is as it was in a new slot. */
static inline void rt_task_slot_free(struct rt_thread *th, struct rt_task *task)
{
    rt_store(task->counts, RT_REF);
    rt_store(task->priority_event, 0);
    task->marks = 0;
    if (likely(task->class == RT_CLASS_TASK && task->heap == th->heap))
        rt_slot_free(th->heap, RT_CLASS_TASK, (struct rt_slot *)task);
    else if (task->class == RT_CLASS_HUGE)
        rt_task_slot_huge_free(task);
    else
        rt_slot_give_back(th, task->heap, (enum rt_class)task->class, (struct rt_slot *)task);
}

#endif
