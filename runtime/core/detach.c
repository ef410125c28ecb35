/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Detachable tasks (OpenMP 5.2 section 12.5.2): complete when the code has ended and the event is fulfilled, whichever
 * comes last. One exchange decides who that is.
 */
#include "rt.h"

uintptr_t rt_event_create(struct rt_task *task)
{
    rt_store(task->event, RT_EVENT_PENDING);
    return (uintptr_t)task;
}

int rt_event_body_done(struct rt_task *task)
{
    uint32_t pending = RT_EVENT_PENDING;
    if (likely(rt_load(task->event) == RT_EVENT_NONE))
        return 0;
    rt_store(task->state, RT_TS_DETACHED);
    if (atomic_compare_exchange_strong_explicit(&task->event, &pending, RT_EVENT_BODY_DONE,
                                                memory_order_acq_rel, memory_order_acquire))
        return 1;
    rt_store(task->state, RT_TS_STARTED); /* fulfilled before: it is about to complete */
    return 0;
}

void rt_event_fulfil(uintptr_t handle)
{
    struct rt_task *task = (struct rt_task *)handle;
    struct rt_thread *th = rt_me();
    struct rt_team *team = task->team; /* of an undeferred task: the slot may be gone after the exchange */
    int waited_for = !task->owns_parent_ref;
    if (atomic_exchange_explicit(&task->event, RT_EVENT_FULFILLED, memory_order_seq_cst) !=
        RT_EVENT_BODY_DONE)
        return;
    if (waited_for)
        rt_notify(team, RT_EV_DONE, INT32_MAX);
    else
        rt_task_complete(th, task);
}

static int fulfilled(void *argument)
{
    return rt_acquire(((struct rt_task *)argument)->event) == RT_EVENT_FULFILLED;
}

void rt_event_wait(struct rt_thread *th, struct rt_task *task, struct rt_caller caller)
{
    if (likely(!rt_event_body_done(task)))
        return;
    struct rt_task *current = rt_load(th->cur_task);
    RT_TRACK(rt_store(current->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_TASKWAIT, RT_WAIT_EVENT, task, caller.codeptr);
    rt_team_wait(th, task->team, RT_EV_WORK | RT_EV_DONE,
                 (struct rt_help){.on = 1, .ancestor = current, .steal = RT_STEAL_ANY}, fulfilled, task);
    rt_set_state(th, rt_work_state(current));
    RT_TRACK(rt_store(current->enter_frame, 0));
}
