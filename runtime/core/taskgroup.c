/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * taskgroup.
 */

#include "reduction.h"
#include "slab.h"
#include "state.h"
#include "taskgroup.h"
#include "wait.h"

void rt_taskgroup_begin(struct rt_thread *th)
{
    struct rt_task *task = rt_load(th->cur_task);
    struct rt_taskgroup *group = rt_slot_take(th->heap, RT_CLASS_GROUP);
    group->parent = task->taskgroup;
    group->task = task;
    rt_store(group->count, 0);
    rt_store(group->cancelled, 0);
    group->reduction = NULL;
    group->gomp_reductions = NULL;
    group->worksharing = 0;
    group->reported = 0;
    group->heap = th->heap;
    RT_TRACK(rt_publish(group->serial, rt_task_serial(th)));
    task->taskgroup = group;
}

void rt_taskgroup_begin_instrumented(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    uint64_t outer_frame = rt_load(task->enter_frame);
    rt_taskgroup_begin(th);
    task->taskgroup->reported = 1;
    rt_report_sync_begin(th, RT_SYNC_REGION, RT_STATE_TASKGROUP, RT_WAIT_TASKGROUP, task->taskgroup,
                         caller.codeptr, caller.frame);
    RT_TRACK(rt_store(task->enter_frame, outer_frame));
    (void)outer_frame;
}

static int group_empty(void *argument)
{
    return rt_acquire(((struct rt_taskgroup *)argument)->count) == 0;
}

static inline void group_wait(struct rt_thread *th, struct rt_task *task, struct rt_taskgroup *group,
                              struct rt_caller caller)
{
    if (rt_acquire(group->count) == 0)
        return;
    RT_TRACK(rt_store(task->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_TASKGROUP, RT_WAIT_TASKGROUP, group, caller.codeptr);
    rt_team_wait(th, task->team, RT_WAKE_WORK | RT_WAKE_DONE, rt_help_below(task), group_empty, group);
    rt_set_state(th, rt_state_working(task));
    RT_TRACK(rt_store(task->enter_frame, 0));
}

static inline void group_end(struct rt_thread *th, struct rt_task *task, struct rt_taskgroup *group)
{
    task->taskgroup = group->parent;
    if (likely(group->heap == th->heap))
        rt_slot_free(th->heap, RT_CLASS_GROUP, (struct rt_slot *)group);
    else /* an untied task has gone on in another thread */
        rt_slot_give_back(th, group->heap, RT_CLASS_GROUP, (struct rt_slot *)group);
}

static RT_COLD void taskgroup_end_instrumented(struct rt_thread *th, struct rt_task *task,
                                               struct rt_taskgroup *group, struct rt_caller caller)
{
    rt_report_sync_begin(th, RT_SYNC_WAIT, RT_STATE_TASKGROUP, RT_WAIT_TASKGROUP, group, caller.codeptr,
                         caller.frame);
    group_wait(th, task, group, caller);
    rt_report_sync_end(th, RT_SYNC_WAIT, RT_STATE_TASKGROUP, caller.codeptr, caller.frame);
    if (group->reduction != NULL)
        rt_reduction_finish(th, group, caller);
    rt_report_sync_end(th, RT_SYNC_REGION, RT_STATE_TASKGROUP, caller.codeptr, caller.frame);
    group_end(th, task, group);
}

void rt_taskgroup_end(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    struct rt_taskgroup *group = task->taskgroup;
    if (unlikely(group->reported)) {
        taskgroup_end_instrumented(th, task, group, caller);
        return;
    }
    group_wait(th, task, group, caller);
    if (unlikely(group->reduction != NULL))
        rt_reduction_finish(th, group, caller);
    group_end(th, task, group);
}
