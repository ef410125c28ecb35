/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Running tasks, and what follows from their ends.
 */

#include "debug.h"
#include "depend.h"
#include "deque.h"
#include "execute.h"
#include "notify.h"
#include "target_task.h"
#include "task_inline.h"

#define STEAL_BACKOFF_MOST \
    4 /**< doublings of the time between two looks at a queue whose owner runs each task himself */

void rt_task_complete(struct rt_thread *th, struct rt_task *task)
{
    struct rt_task *parent = task->parent;
    struct rt_team *team = task->team;
    struct rt_taskgroup *group = task->taskgroup;
    if (unlikely(task->deps != NULL))
        rt_deps_forget(th, task);
    if (unlikely(task->registered))
        rt_deps_fulfil(th, task);
    if (!task->owns_parent_ref) { /* undeferred: the parent's code waits for it, nobody counts */
        if (likely(rt_acquire(task->counts) == RT_REF)) {
            rt_task_slot_free(th, task);
        } else {
            rt_store(task->state, RT_TS_COMPLETING);
            rt_tsan_release(task);
            rt_task_hold_parent(task, RT_REF);
            rt_task_deref(th, task);
        }
        return;
    }
    uint64_t before;
    if (likely(rt_acquire(task->counts) == RT_REF)) {
        rt_task_slot_free(th, task);
        before = atomic_fetch_sub_explicit(&parent->counts, RT_REF | 1, memory_order_acq_rel);
        /*
         * The parent's slot is held by its own reference or, if it is complete too, was held by this one
         * alone.
         */
        if (unlikely(before >> 32 == 1)) {
            struct rt_task *grandparent = parent->parent;
            int up = parent->owns_parent_ref;
            rt_tsan_acquire(parent);
            rt_task_slot_free(th, parent);
            if (up)
                rt_task_deref(th, grandparent);
        }
    } else {
        rt_store(task->state, (uint32_t)rt_acquire(task->counts) != 0 ? RT_TS_COMPLETING : RT_TS_DONE);
        rt_tsan_release(task);
        before = atomic_fetch_sub_explicit(&parent->counts, 1, memory_order_acq_rel);
        rt_task_deref(th, task);
    }
    int wake = (uint32_t)before == 1;
    if (group != NULL) {
        rt_tsan_release(group); /* a copy of what the group reduces */
        if (atomic_fetch_sub_explicit(&group->count, 1, memory_order_acq_rel) == 1)
            wake = 1;
    }
    struct rt_task *implicit = th->implicit;
    if (likely(implicit->team == team)) {
        __atomic_store_n(&implicit->tasks_completed, implicit->tasks_completed + 1, __ATOMIC_RELEASE);
        if (wake)
            rt_notify_done(team);
    } else { /* omp_fulfill_event by a thread of another team, which does not look at this team's barrier */
        atomic_fetch_add_explicit(&team->completed_outside, 1, memory_order_seq_cst);
        rt_notify_ordered(team, RT_WAKE_DONE | RT_WAKE_RELEASE | RT_WAKE_ARRIVE | RT_WAKE_WORK | RT_WAKE_FORK,
                          INT32_MAX);
    }
}

static RT_COLD void report_enter(struct rt_thread *th, struct rt_task *task)
{
    uint32_t status = th->yields ? RT_LEFT_YIELD : RT_LEFT_SWITCH;
    th->yields = 0;
    if (RT_WANTS(RT_ON_SCHEDULE))
        rt_report_schedule(th, rt_load(task->sched_parent), status, task);
    if (task->chunked && RT_WANTS(RT_ON_DISPATCH)) {
        const struct rt_chunk *chunk = rt_task_chunk(task);
        task->chunked = 0; /* an untied task comes here with each of its parts */
        rt_report_chunk(th, RT_DISPATCH_TASKLOOP_CHUNK, chunk->first, chunk->iterations);
    }
}

void rt_task_switch_in(struct rt_thread *th, struct rt_task *task, uint64_t frame)
{
    rt_task_enter(th, task, rt_load(th->cur_task), rt_load(th->implicit->thread_num));
    RT_TRACK(rt_store(task->exit_frame, frame));
    rt_store(task->state, RT_TS_STARTED);
    rt_publish(th->cur_task, task);
    if (RT_WANTS(RT_ON_SCHEDULE | RT_ON_DISPATCH))
        report_enter(th, task);
}

void rt_task_switch_out(struct rt_thread *th, struct rt_task *task)
{
    rt_task_leave(th, task);
}

RT_NOINLINE int32_t rt_task_ended(struct rt_thread *th, struct rt_task *task, int over)
{
    RT_BREAKPOINT(ompd_bp_task_end);
    struct rt_task *below = rt_load(task->sched_parent);
    RT_TRACK(rt_store(task->exit_frame, 0));
    rt_publish(th->cur_task, below);
    if (likely(over)) {
        rt_slot_free(th->heap, RT_CLASS_TASK, (struct rt_slot *)task);
        RT_TRACK(rt_store(below->enter_frame, 0));
    }
    return 0;
}

RT_NOINLINE struct rt_task *rt_task_end_slow(struct rt_thread *th, struct rt_task *task)
{
    if (task->lazy_reduction)
        rt_reduction_task_done(th, task);
    struct rt_task *below = rt_task_leave(th, task);
    rt_task_complete(th, task);
    return below;
}

RT_NOINLINE void rt_task_further_parts(struct rt_thread *th, struct rt_task *task, struct rt_kmp_task *kmp)
{
    while (task->resubmit) {
        task->resubmit = 0;
        kmp->routine(th->gtid, kmp);
    }
}

void rt_task_discard(struct rt_thread *th, struct rt_task *task)
{
    int group = task->taskgroup != NULL && rt_load(task->taskgroup->cancelled);
    rt_store(task->event, RT_DETACH_NONE);
    task->cancelled = 1;
    RT_EVENT(th, RT_ON_CANCEL, .task = task,
             .flags = RT_CANCELS_DISCARDED_TASK | (group ? RT_CANCELS_TASKGROUP : RT_CANCELS_PARALLEL));
}

/** Runs a task inside whatever the thread is doing or waiting for, and puts that state back. */
void rt_task_run_inside(struct rt_thread *th, struct rt_task *task)
{
    uint64_t wait_id = rt_load(th->wait_id), codeptr = rt_load(th->wait_codeptr);
    uint32_t state = rt_load(th->state);
    rt_task_run(th, task, 0);
    RT_TRACK(rt_store(th->wait_id, wait_id));
    RT_TRACK(rt_store(th->wait_codeptr, codeptr));
    RT_TRACK(rt_publish(th->state, state));
    (void)wait_id, (void)codeptr, (void)state;
}

/**
 * Takes a task for now and some more for the own queue, so that many small tasks do not all pass the other's
 * lock. NOW: when the thief set out.
 */
static struct rt_task *task_steal(struct rt_thread *th, struct rt_deque *from, uint64_t serial, int only_left,
                                  uint64_t now)
{
    struct rt_task *tasks[RT_STEAL_MOST];
    uint32_t count =
        rt_deque_take_some(from, serial, tasks, RT_STEAL_MOST, only_left ? &th->seen_task : NULL);
    if (count == 0) {
        th->steal_backoff += th->steal_backoff < STEAL_BACKOFF_MOST;
        return NULL;
    }
    th->steal_backoff = 0;
    th->naps = 0;
    rt_steal_brought(&th->steal, now, count);
    if (count > 1) {
        /*
         * Read only now: a thread that finds no task may still be leaving a region that has ended, while its
         * team grows.
         */
        struct rt_deque *own = rt_deque_at(&th->implicit->member->deque);
        for (uint32_t i = count - 1; i > 0; i--) /* the oldest is the next */
            rt_deque_push(own, tasks[i]);
        atomic_thread_fence(memory_order_seq_cst);
        rt_notify_work(tasks[0]->team, count - 1); /* a sleeper may have looked at both too early */
    }
    return tasks[0];
}

/** A task from another member's queue. Who is about to sleep looks there in a pause too. */
static struct rt_task *task_of_others(struct rt_thread *th, struct rt_team *team, uint64_t serial,
                                      const struct rt_deque *own, struct rt_help help)
{
    uint64_t now = rt_arch_clock();
    if (help.ancestor == NULL && help.steal == RT_STEAL_LEFT && rt_steal_pauses(&th->steal, now))
        return NULL;
    struct rt_task *task = NULL;
    int n = __atomic_load_n(&team->nthreads, __ATOMIC_ACQUIRE);
    struct rt_member *members = __atomic_load_n(&team->members, __ATOMIC_ACQUIRE);
    int victim = (int)(th->steal_seed % (uint32_t)n);
    for (int k = 0; k < n && task == NULL; k++, victim = victim + 1 < n ? victim + 1 : 0) {
        struct rt_deque *deque = rt_acquire(members[victim].deque);
        if (deque != NULL && deque != own && rt_load(deque->count) != 0)
            task = help.ancestor == NULL ? task_steal(th, deque, serial, help.steal == RT_STEAL_LEFT, now)
                                         : rt_deque_take(deque, serial, help.ancestor, 1);
    }
    th->steal_seed = th->steal_seed * 1664525u + 1013904223u;
    return task;
}

/** Completes a target task whose device has finished by now; 0 = there is none. */
static RT_COLD int help_devices(struct rt_thread *th, struct rt_team *team, struct rt_help help)
{
    struct rt_task *task = rt_target_finished(team, th->implicit->team_serial, help.ancestor);
    if (task == NULL)
        return 0;
    rt_detach_fulfil(th, rt_detach_handle(task));
    return 1;
}

int rt_task_help(struct rt_thread *th, struct rt_team *team, struct rt_help help)
{
    struct rt_task *implicit = th->implicit, *task = NULL;
    uint64_t serial = implicit->team_serial;
    struct rt_member *member = __atomic_load_n(&implicit->member, __ATOMIC_RELAXED);
    struct rt_deque *own = rt_load(member->deque), *by_priority = rt_acquire(team->priority_queue);
    if (unlikely(by_priority != NULL) && rt_load(by_priority->count) != 0)
        task = rt_deque_take(by_priority, serial, help.ancestor, 1);
    if (task == NULL && own != NULL && rt_load(own->count) != 0)
        task = rt_deque_take(own, serial, help.ancestor, 0);
    if (task == NULL && help.steal != RT_STEAL_NO)
        task = task_of_others(th, team, serial, own, help);
    if (task == NULL)
        return unlikely(rt_load(team->device_tasks) != 0) && help.steal != RT_STEAL_NO &&
               help_devices(th, team, help);
    if (unlikely(th->woken_for_work))
        rt_work_wakeup_end(th, team);
    rt_task_run_inside(th, task);
    return 1;
}

void rt_detach_fulfil(struct rt_thread *th, uintptr_t handle)
{
    struct rt_task *task;
    if (rt_detach_note(th, handle, &task))
        rt_task_complete(th, task);
}
