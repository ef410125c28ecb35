/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Cancellation (OpenMP 5.2 chapter 16).
 *
 * A team has bits for what is being cancelled. A loop's or sections' bit is cleared while all threads are
 * inside the next barrier, the region's at its end: that is where the compilers' code has left the construct
 * (docs/abi/kmpc.md section 8).
 */

#include "cancel.h"
#include "event.h"
#include "notify.h"
#include "workshare.h"

/**
 * The taskgroup that `cancel taskgroup` means: one that a worksharing construct opened stands for the one
 * around it.
 */
static struct rt_taskgroup *cancel_group(struct rt_thread *th)
{
    struct rt_taskgroup *group = rt_load(th->cur_task)->taskgroup;
    while (group != NULL && group->worksharing && group->parent != NULL)
        group = group->parent;
    return group;
}

/** Reports it to tools, which also learn at the task's end that it was cancelled. */
static RT_COLD void cancel_report(struct rt_thread *th, enum rt_cancel what, uint32_t how,
                                  struct rt_caller caller)
{
    static const uint32_t flags[] = {[RT_CANCEL_PARALLEL] = RT_CANCELS_PARALLEL,
                                     [RT_CANCEL_LOOP] = RT_CANCELS_LOOP,
                                     [RT_CANCEL_SECTIONS] = RT_CANCELS_SECTIONS,
                                     [RT_CANCEL_TASKGROUP] = RT_CANCELS_TASKGROUP};
    struct rt_task *task = rt_load(th->cur_task);
    int again = what == RT_CANCEL_PARALLEL && task->cancelled; /* clang's code has a barrier on its way out */
    if (task->flags & RT_TASK_EXPLICIT || what == RT_CANCEL_PARALLEL)
        task->cancelled = 1;
    if (again)
        return;
    RT_EVENT(th, RT_ON_CANCEL, .task = task, .flags = flags[what] | how, .codeptr = caller.codeptr,
             .frame = caller.frame);
}

/** 0: no; 1: somebody else has asked for it before; 2: it is asked for now. */
static int cancel_request(struct rt_thread *th, enum rt_cancel what)
{
    if (what == RT_CANCEL_TASKGROUP) {
        struct rt_taskgroup *group = cancel_group(th);
        return group == NULL ? 0
                             : 2 - (int)atomic_exchange_explicit(&group->cancelled, 1, memory_order_acq_rel);
    }
    struct rt_team *team = th->implicit->team;
    uint32_t pending = 0;
    if (!atomic_compare_exchange_strong_explicit(&team->cancel, &pending, (uint32_t)what,
                                                 memory_order_acq_rel, memory_order_acquire))
        return pending == (uint32_t)what; /* one construct at a time */
    if (what != RT_CANCEL_PARALLEL)
        return 2;
    rt_notify(team, RT_WAKE_RELEASE, INT32_MAX);
    for (int i = 0; team->nthreads > 1 && i < RT_WORKSHARES; i++) {
        rt_turns_void(&team->workshares[i].turns);
    }
    return 2;
}

int rt_cancel(struct rt_thread *th, enum rt_cancel what, struct rt_caller caller)
{
    int done = rt_root.cancellation ? cancel_request(th, what) : 0;
    if (done != 0 && RT_WANTS(RT_ON_CANCEL | RT_ON_SCHEDULE))
        cancel_report(th, what, done == 2 ? RT_CANCELS_ACTIVATED : RT_CANCELS_DETECTED, caller);
    return done != 0;
}

int rt_cancellation_point(struct rt_thread *th, enum rt_cancel what, struct rt_caller caller)
{
    int pending = rt_cancel_pending(th, what);
    if (unlikely(pending) && RT_WANTS(RT_ON_CANCEL | RT_ON_SCHEDULE))
        cancel_report(th, what, RT_CANCELS_DETECTED, caller);
    return pending;
}

int rt_cancel_pending(struct rt_thread *th, enum rt_cancel what)
{
    if (!rt_root.cancellation)
        return 0;
    uint32_t pending = rt_acquire(th->implicit->team->cancel);
    if (what == RT_CANCEL_TASKGROUP) {
        const struct rt_taskgroup *group = cancel_group(th);
        return (group != NULL && rt_acquire(group->cancelled)) || (pending & RT_CANCEL_PARALLEL) != 0;
    }
    return pending == (uint32_t)what;
}
