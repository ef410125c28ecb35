/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Waiting for tasks: taskwait, taskwait depend, taskyield.
 */

#include "depend.h"
#include "event.h"
#include "execute.h"
#include "taskwait.h"
#include "wait.h"

static int no_children(void *argument)
{
    return rt_acquire(((struct rt_task *)argument)->children) == 0;
}

static void taskwait(struct rt_thread *th, struct rt_task *task, struct rt_caller caller)
{
    if (rt_acquire(task->children) == 0) { /* nothing to wait for, and nothing to depend on any more */
        if (task->deps != NULL)
            rt_deps_forget(th, task);
        return;
    }
    RT_TRACK(rt_store(task->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_TASKWAIT, RT_WAIT_TASKWAIT, task, caller.codeptr);
    rt_team_wait(th, task->team, RT_WAKE_WORK | RT_WAKE_DONE, rt_help_below(task), no_children, task);
    rt_set_state(th, rt_state_working(task));
    RT_TRACK(rt_store(task->enter_frame, 0));
    if (task->deps != NULL)
        rt_deps_forget(th, task);
}

RT_NOINLINE void rt_taskwait_slow(struct rt_thread *th, struct rt_task *task, struct rt_caller caller)
{
    int instrumented = RT_WANTS(RT_ON_SYNC), parts = RT_SYNC_REGION | RT_SYNC_WAIT;
    if (unlikely(instrumented))
        rt_report_sync_begin(th, parts, RT_STATE_TASKWAIT, RT_WAIT_TASKWAIT, task, caller.codeptr,
                             caller.frame);
    taskwait(th, task, caller);
    if (unlikely(instrumented))
        rt_report_sync_end(th, parts, RT_STATE_TASKWAIT, caller.codeptr, caller.frame);
}

static int fulfilled(void *argument)
{
    return rt_acquire(((struct rt_task *)argument)->npred) == 0;
}

/**
 * Archer before LLVM 19 does not know the event that ends this wait (RT_LEFT_TASKWAIT_COMPLETE), so
 * this tells ThreadSanitizer that the tasks it waits for happen before what follows.
 */
void rt_deps_wait(struct rt_thread *th, const struct rt_dep *deps, int n, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    if (!rt_deps_register_current(th, task, deps, n))
        return;
    uint64_t outer_frame = rt_load(task->enter_frame);
    RT_TRACK(rt_store(task->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_TASKWAIT, RT_WAIT_DEPEND, task, caller.codeptr);
    RT_EVENT(th, RT_ON_OTHER_WAIT, .what = RT_WAIT_DEPEND);
    rt_team_wait(th, task->team, RT_WAKE_WORK | RT_WAKE_DONE, rt_help_below(task), fulfilled, task);
    rt_tsan_acquire(task);
    RT_EVENT(th, RT_ON_OTHER_WAIT, .end = 1, .what = RT_WAIT_DEPEND);
    rt_set_state(th, rt_state_working(task));
    RT_TRACK(rt_store(task->enter_frame, outer_frame));
    (void)outer_frame;
}

void rt_taskwait_deps(struct rt_thread *th, const struct rt_dep *deps, int n, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    uint64_t data = 0;
    RT_EVENT(th, RT_ON_CREATE, .data = &data, .other = task, .n = n, .codeptr = caller.codeptr,
             .frame = caller.frame, .flags = RT_TASK_TASKWAIT | RT_TASK_UNDEFERRED | RT_TASK_MERGEABLE);
    RT_EVENT(th, RT_ON_DEPENDENCES, .data = &data, .deps = deps, .n = n, .frame = caller.frame);
    th->wait_data = &data;
    rt_deps_wait(th, deps, n, caller);
    th->wait_data = NULL;
    RT_EVENT(th, RT_ON_SCHEDULE, .data = &data, .what = RT_LEFT_TASKWAIT_COMPLETE, .other = task,
             .frame = caller.frame);
}

void rt_taskyield(struct rt_thread *th)
{
    struct rt_task *task = rt_load(th->cur_task);
    if (!rt_load(task->team->tasks_used))
        return;
    th->yields = 1;
    rt_task_help(th, task->team, rt_help_below(task));
    th->yields = 0;
}
