/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Running tasks, and what follows from their ends.
 */
#ifndef RT_EXECUTE_H
#define RT_EXECUTE_H

#include "arch.h"
#include "detach.h"
#include "help.h"
#include "ready.h"
#include "reduction.h"
#include "root.h"
#include "state.h"
#include "task_slot.h"

/**
 * Makes it the current task / goes back to the task below; the caller keeps the thread's state word, and
 * calls the task's code by rt_task_call.
 */
void rt_task_switch_in(struct rt_thread *th, struct rt_task *task, uint64_t frame);
void rt_task_switch_out(struct rt_thread *th, struct rt_task *task);
/** Runs a task inside whatever the thread is doing or waiting for, and puts that state back. */
void rt_task_run_inside(struct rt_thread *th, struct rt_task *task);
/** After the code of an undeferred or deferred task has ended: dependences, parent, taskgroup, slot. */
void rt_task_complete(struct rt_thread *th, struct rt_task *task);
/** Runs one queued task of the team that is allowed, or completes one whose device has finished; 0 = none. */
int rt_task_help(struct rt_thread *th, struct rt_team *team, struct rt_help help);
/** omp_fulfill_event, by any thread. Of a cancelled task it does nothing. */
void rt_detach_fulfil(struct rt_thread *th, uintptr_t handle);

/** An untied task (clang's) that nobody else may go on with: runs all its parts. */
void rt_task_further_parts(struct rt_thread *th, struct rt_task *task, struct rt_kmp_task *kmp);
/** A cancelled task that has not started is dropped: nothing waits for its event. */
RT_COLD void rt_task_discard(struct rt_thread *th, struct rt_task *task);

/** The task's own code, in the convention of the compiler that made it; by way of ompd_bp_task_begin. */
static inline void rt_task_body(struct rt_thread *th, const struct rt_task *task, struct rt_kmp_task *kmp)
{
    void *fn = (void *)kmp->routine;
    if (task->call == RT_CALL_GOMP)
        rt_task_call(kmp->shareds, NULL, fn);
    else
        rt_task_call((void *)(intptr_t)th->gtid, kmp, fn);
}

/** The same of a task that was taken from another thread; what its code takes in turn is judged apart. */
static inline void task_body_judged(struct rt_thread *th, const struct rt_task *task, struct rt_kmp_task *kmp)
{
    struct rt_steal outer = th->steal;
    uint64_t begun = rt_arch_clock();
    th->steal.left = 0;
    rt_task_body(th, task, kmp);
    uint64_t now = rt_arch_clock();
    th->steal = outer;
    rt_steal_ran(&th->steal, now - begun, now);
}

/**
 * Runs a task to its end, or, untied, to where it asks to be queued again. A cancelled one only ends.
 * working: the thread comes from user code and goes back there, so its state is right all the time.
 */
static inline void rt_task_run(struct rt_thread *th, struct rt_task *task, int working)
{
    struct rt_kmp_task *kmp = rt_task_payload(task);
    int deferred = task->owns_parent_ref;
    if (!working)
        rt_set_state(th, RT_STATE_OVERHEAD);
    rt_task_switch_in(th, task, (uint64_t)(uintptr_t)__builtin_frame_address(0));
    if (!working)
        rt_set_state(th, rt_state_working(task));
    int cancelled =
        unlikely(rt_root.cancellation) && deferred && kmp->part_id == 0 && rt_task_cancelled(task);
    if (cancelled) {
        rt_task_call(NULL, NULL, (void *)rt_task_passed);
        rt_task_discard(th, task);
    } else {
        task->resubmit = 0;
        if (!working && unlikely(th->steal.left > 0))
            task_body_judged(th, task, kmp);
        else
            rt_task_body(th, task, kmp);
        if (unlikely(task->resubmit) && !deferred)
            rt_task_further_parts(th, task, kmp);
    }
    if (!working)
        rt_set_state(th, RT_STATE_OVERHEAD);
    if (unlikely(task->resubmit) && !cancelled) {
        rt_task_switch_out(th, task);
        rt_task_make_ready(th, task);
        return;
    }
    if (unlikely(task->flags & RT_TASK_DESTRUCTORS))
        kmp->data1.destructors(th->gtid, kmp);
    if (unlikely(task->lazy_reduction))
        rt_reduction_task_done(th, task);
    rt_task_switch_out(th, task);
    if (unlikely(rt_detach_body_done(task)))
        return;
    rt_task_complete(th, task);
}

#endif
