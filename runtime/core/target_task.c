/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Target tasks whose device has not finished.
 */

#include "deque.h"
#include "notify.h"
#include "offload.h"
#include "target_task.h"

/** libomptarget's: asks after the work, and sets the word to NULL if the device has finished. */
void __tgt_target_nowait_query(void **handle);
#define QUERY() RT_OFFLOADED(__tgt_target_nowait_query)

int rt_target_may_leave(const struct rt_task *task)
{
    return task->flags & RT_TASK_TARGET && !(task->flags & RT_TASK_UNDEFERRED) &&
           rt_load(task->event) != RT_DETACH_NONE && QUERY() != NULL;
}

void rt_target_left(struct rt_task *task)
{
    struct rt_team *team = task->team;
    atomic_fetch_add_explicit(&team->device_tasks, 1, memory_order_relaxed);
    rt_deque_push(rt_deque_at(&team->device_queue), task);
    /* Each that sleeps looks, and sleeps for a while only: nobody else may come to wait for this task. */
    rt_notify(team, RT_WAKE_WORK, INT32_MAX);
}

/*
 * A task is in no queue while a thread asks after it, which may take as long as the device does. It is
 * counted until it is known to have finished, so that others do not go to sleep for good meanwhile.
 */
struct rt_task *rt_target_finished(struct rt_team *team, uint64_t team_serial, const struct rt_task *ancestor)
{
    struct rt_deque *queue = rt_acquire(team->device_queue);
    void (*query)(void **) = queue != NULL ? QUERY() : NULL;
    for (uint32_t n = query != NULL ? rt_load(queue->count) : 0; n > 0; n--) {
        struct rt_task *task = rt_deque_take(queue, team_serial, ancestor, 1);
        if (task == NULL)
            return NULL;
        query(rt_target_handle(task));
        if (*rt_target_handle(task) == NULL) {
            atomic_fetch_sub_explicit(&team->device_tasks, 1, memory_order_relaxed);
            return task;
        }
        rt_deque_push(queue, task);
    }
    return NULL;
}
