/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks: slots, references, counts.
 *
 * One 64-bit word per task counts its incomplete children (low half) and the references to its slot (high
 * half): one for itself until it is complete, one for each child whose slot exists, one for each dependence
 * set that names it. So the chain of generating tasks above a live task is always there, for the runtime and
 * for a debugger.
 */

#include "arch.h"
#include "arrivals.h"
#include "task_slot.h"

#define PAGE RT_PAGE_BYTES

static struct rt_task *slot_huge(size_t bytes)
{
    uint32_t lines = (uint32_t)((bytes + PAGE - 1) / PAGE * PAGE / RT_LINE);
    rt_lock(&rt_root.lock);
    struct rt_task *task = NULL;
    for (struct rt_slot **link = &rt_root.free_huge; *link != NULL; link = &(*link)->next)
        if (((struct rt_task *)*link)->huge_lines == lines) {
            task = (struct rt_task *)*link;
            *link = (*link)->next;
            rt_tsan_acquire(task);
            break;
        }
    if (task == NULL)
        task = rt_slot_alone(RT_KIND_TASK, lines * RT_LINE);
    task->huge_lines = lines;
    rt_unlock(&rt_root.lock);
    return task;
}

void rt_task_slot_huge_free(struct rt_task *task)
{
    struct rt_slot *slot = (struct rt_slot *)task;
    rt_store(slot->serial, 0);
    rt_tsan_release(task);
    rt_lock(&rt_root.lock);
    slot->next = rt_root.free_huge;
    rt_root.free_huge = slot;
    rt_unlock(&rt_root.lock);
}

struct rt_task *rt_task_slot_large(struct rt_thread *th, size_t bytes)
{
    if (bytes > 4096) {
        struct rt_task *task = slot_huge(bytes);
        task->class = RT_CLASS_HUGE;
        rt_store(task->stamp, 0); /* it may have been another thread's */
        rt_store(task->counts, RT_REF);
        return task;
    }
    return rt_slot_take(th->heap, bytes <= 1024 ? RT_CLASS_TASK_1K : RT_CLASS_TASK_4K);
}

void rt_task_deref(struct rt_thread *th, struct rt_task *task)
{
    while (atomic_fetch_sub_explicit(&task->counts, RT_REF, memory_order_acq_rel) >> 32 == 1) {
        struct rt_task *parent = task->parent;
        int up = task->owns_parent_ref;
        rt_tsan_acquire(task);
        rt_task_slot_free(th, task);
        if (!up)
            return;
        task = parent;
    }
}

/** Of this region: from now on those who wait look for tasks. */
static RT_NOINLINE void first_task(struct rt_team *team)
{
    if (team->nthreads == 2) /* the other one may still look whether it may leave the barrier before this */
        rt_store(team->bar_gen, (uint32_t)(rt_load(team->meets) / 2));
    rt_publish(team->tasks_used, 1);
    if (team->ways & RT_WAY_TREE)
        rt_arrivals_tasks(team, 1);
}

void rt_task_count(struct rt_thread *th, struct rt_task *task)
{
    struct rt_task *implicit = th->implicit;
    rt_task_hold_parent(task, RT_REF | 1);
    if (task->taskgroup != NULL)
        atomic_fetch_add_explicit(&task->taskgroup->count, 1, memory_order_relaxed);
    __atomic_store_n(&implicit->tasks_created, implicit->tasks_created + 1, __ATOMIC_RELEASE);
    if (unlikely(!rt_load(task->team->tasks_used)))
        first_task(task->team);
}

int rt_task_cancelled(const struct rt_task *task)
{
    if (!rt_root.cancellation)
        return 0;
    return (task->taskgroup != NULL && rt_acquire(task->taskgroup->cancelled)) ||
           (rt_acquire(task->team->cancel) & RT_CANCEL_PARALLEL) != 0;
}
