/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks that are submitted: queued, run at once by their creator, or held back by dependences.
 */

#include "depend.h"
#include "deque.h"
#include "execute.h"
#include "ready.h"
#include "submit.h"
#include "task_inline.h"
#include "taskwait.h"

struct rt_task *rt_task_create(struct rt_thread *th, uint32_t flags, size_t payload, uint64_t fn,
                               const struct rt_loc *loc, struct rt_caller caller)
{
    return rt_task_new(th, flags, payload, fn, loc, caller.codeptr);
}

/**
 * Whether nobody has to know the task when its code has ended, and its siblings are complete, unless one was
 * detached.
 */
static int needs_nothing(const struct rt_task *task, int n)
{
    return rt_load(task->event) == RT_DETACH_NONE && (n == 0 || rt_acquire(task->parent->children) == 0);
}

/**
 * Whether a task is run by its creator at once, since nothing else is allowed (it is included) or there is
 * nobody else.
 */
static int is_run_directly(const struct rt_task *task, int n)
{
    return task->parent->flags & RT_TASK_FINAL || (task->team->nthreads == 1 && needs_nothing(task, n));
}

static void run_undeferred(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n,
                           struct rt_caller caller);

void rt_task_submit(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n)
{
    struct rt_team *team = task->team;
    if (unlikely(task == rt_load(th->cur_task))) {
        task->resubmit = 1; /* untied: its own code submits its next part, and returns */
        return;
    }
    struct rt_task *parent = task->parent;
    int alone = team->nthreads == 1;
    if (RT_WANTS(RT_ON_CREATE))
        rt_report_create(th, task, is_run_directly(task, n) ? RT_TASK_UNDEFERRED : 0, deps, n, 0);
    if (alone || parent->flags & RT_TASK_FINAL) {
        if (likely(needs_nothing(task, n))) {
            task->flags |= RT_TASK_UNDEFERRED;
            if (n > 0 && parent->deps != NULL)
                rt_deps_forget(th, parent);
            rt_task_run(th, task, 1);
            return;
        }
    }
    if (unlikely(parent->flags & RT_TASK_FINAL)) {
        run_undeferred(th, task, deps, n, (struct rt_caller){task->codeptr, rt_load(parent->enter_frame)});
        return;
    }
    if (unlikely(task->priority > rt_root.max_task_priority))
        task->priority = rt_root.max_task_priority;
    int full = rt_queue_is_full(th, task->priority > 0 ? rt_load(team->priority_queue) : rt_own_deque(th));
    if (full && n == 0 && rt_load(task->event) == RT_DETACH_NONE && !rt_task_cancelled(task)) {
        th->nested_direct++;
        rt_task_run(th, task, 1); /* its creator waits for it, so nobody has to count it */
        th->nested_direct--;
        return;
    }
    rt_task_count(th, task);
    /*
     * One that has to wait makes its creator run nothing, however many wait: any task that runs here may want
     * what the creator does next, or a lock that it holds.
     */
    if (n > 0 && rt_deps_register(th, task, deps, n))
        return;
    if (unlikely(alone || full))
        rt_task_run_inside(th, task);
    else
        rt_task_make_ready(th, task);
}

/**
 * Its creator goes on when its code has ended (OpenMP 5.2 glossary, undeferred task). A detachable one may
 * then be incomplete: it counts as a deferred one does, and the fulfilment of its event completes it.
 */
static void run_undeferred(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n,
                           struct rt_caller caller)
{
    struct rt_kmp_task *kmp = rt_task_payload(task);
    if (n > 0) {
        th->wait_data = &task->icvs.tool_data;
        rt_deps_wait(th, deps, n, caller);
        th->wait_data = NULL;
    }
    task->flags |= RT_TASK_UNDEFERRED;
    if (rt_load(task->event) != RT_DETACH_NONE) {
        rt_task_count(th, task);
        if (n > 0)
            rt_deps_register(th, task, deps, n);
    }
    rt_task_switch_in(th, task, (uint64_t)(uintptr_t)__builtin_frame_address(0));
    task->resubmit = 0;
    rt_task_body(th, task, kmp);
    rt_task_further_parts(th, task, kmp);
    if (unlikely(task->flags & RT_TASK_DESTRUCTORS))
        kmp->data1.destructors(th->gtid, kmp);
    if (unlikely(task->lazy_reduction))
        rt_reduction_task_done(th, task);
    rt_task_switch_out(th, task);
    if (likely(!rt_detach_body_done(task)))
        rt_task_complete(th, task);
}

void rt_task_run_undeferred(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n,
                            struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_CREATE))
        rt_report_create(th, task, RT_TASK_UNDEFERRED, deps, n, caller.frame);
    run_undeferred(th, task, deps, n, caller);
}
