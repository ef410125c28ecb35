/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Explicit tasks: creation, queueing, running, completion; taskwait and taskgroup.
 *
 * One 64-bit word per task counts its incomplete children (low half) and the references to its slot (high half): one
 * for itself until it is complete, one for each child whose slot exists, one for each dependence set that names it. So
 * the chain of generating tasks above a live task is always there, for the runtime and for a debugger.
 */
#include "rt.h"

#define QUEUE_ENOUGH 256 /**< with so many tasks waiting a new one is run at once by its creator */

/* ---- creation ---------------------------------------------------------------------------------------------------- */

struct rt_task *rt_task_create(struct rt_thread *th, uint32_t flags, size_t payload, uint64_t fn,
                               const struct rt_loc *loc, struct rt_caller caller)
{
    size_t bytes = RT_TASK_PAYLOAD + payload;
    struct rt_task *task;
    uint8_t class = bytes <= 512 ? RT_CLASS_TASK : bytes <= 1024 ? RT_CLASS_TASK_1K : RT_CLASS_TASK_4K;
    if (likely(bytes <= 4096)) {
        task = rt_slot_take(th->heap, (enum rt_class) class);
    } else {
        task = rt_slot_huge(bytes);
        class = RT_CLASS_HUGE;
    }
    struct rt_task *parent = rt_load(th->cur_task);
    task->team = parent->team;
    task->team_serial = parent->team_serial;
    task->parent = parent;
    task->fn = fn;
    task->codeptr = caller.codeptr;
    task->loc = loc;
    task->flags = flags;
    rt_store(task->state, RT_TS_CREATED);
    rt_store(task->exit_frame, 0);
    rt_store(task->enter_frame, 0);
    rt_store(task->sched_parent, NULL);
    rt_store(task->thread, NULL);
    rt_store(task->thread_num, -1);
    rt_store(task->bar_seq, 0);
    task->creator_thread_num = rt_load(th->implicit->thread_num);
    task->depth = parent->depth + 1;
    task->heap = th->heap;
    task->class = class;
    task->owns_parent_ref = 0;
    task->resubmit = 0;
    task->registered = 0;
    atomic_store_explicit(&task->counts, RT_REF, memory_order_relaxed);
    task->taskgroup = parent->taskgroup;
    rt_store(task->lock, 0);
    rt_store(task->npred, 0);
    task->successors = NULL;
    task->deps = NULL;
    task->icvs = parent->icvs;
    RT_TRACK(rt_publish(task->serial, rt_task_serial(th)));
    return task;
}

/* ---- end of life ------------------------------------------------------------------------------------------------- */

static void slot_free(struct rt_thread *th, struct rt_task *task)
{
    if (unlikely(task->class == RT_CLASS_HUGE))
        rt_slot_huge_free(task);
    else
        rt_slot_give_back(th, task->heap, (enum rt_class)task->class, (struct rt_slot *)task);
}

void rt_task_deref(struct rt_thread *th, struct rt_task *task)
{
    while (atomic_fetch_sub_explicit(&task->counts, RT_REF, memory_order_acq_rel) >> 32 == 1) {
        struct rt_task *parent = task->parent;
        int up = task->owns_parent_ref;
        slot_free(th, task);
        if (!up)
            return;
        task = parent;
    }
}

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
            slot_free(th, task);
        } else {
            rt_store(task->state, RT_TS_COMPLETING);
            atomic_fetch_add_explicit(&parent->counts, RT_REF, memory_order_relaxed);
            task->owns_parent_ref = 1;
            rt_task_deref(th, task);
        }
        return;
    }
    uint64_t before;
    if (likely(rt_acquire(task->counts) == RT_REF)) {
        slot_free(th, task);
        before = atomic_fetch_sub_explicit(&parent->counts, RT_REF | 1, memory_order_acq_rel);
        /* The parent's slot is held by its own reference or, if it is complete too, was held by this one alone. */
        if (unlikely(before >> 32 == 1)) {
            struct rt_task *grandparent = parent->parent;
            int up = parent->owns_parent_ref;
            slot_free(th, parent);
            if (up)
                rt_task_deref(th, grandparent);
        }
    } else {
        rt_store(task->state, (uint32_t)rt_acquire(task->counts) != 0 ? RT_TS_COMPLETING : RT_TS_DONE);
        before = atomic_fetch_sub_explicit(&parent->counts, 1, memory_order_acq_rel);
        rt_task_deref(th, task);
    }
    int wake = (uint32_t)before == 1;
    if (group != NULL && atomic_fetch_sub_explicit(&group->count, 1, memory_order_acq_rel) == 1)
        wake = 1;
    struct rt_task *implicit = th->implicit;
    __atomic_store_n(&implicit->tasks_completed, implicit->tasks_completed + 1, __ATOMIC_RELEASE);
    if (wake)
        rt_notify_ordered(team, RT_EV_DONE, INT32_MAX);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

RT_NOINLINE void rt_task_switch_in(struct rt_thread *th, struct rt_task *task, uint64_t frame)
{
    rt_store(task->sched_parent, rt_load(th->cur_task));
    RT_TRACK(rt_store(task->thread, th));
    RT_TRACK(rt_store(task->thread_num, rt_load(th->implicit->thread_num)));
    RT_TRACK(rt_store(task->exit_frame, frame));
    (void)frame;
    rt_store(task->state, RT_TS_STARTED);
    rt_set_state(th, RT_STATE_OVERHEAD);
    rt_publish(th->cur_task, task);
    rt_set_state(th, rt_work_state(task));
    RT_BREAKPOINT(ompd_bp_task_begin);
}

RT_NOINLINE void rt_task_switch_out(struct rt_thread *th, struct rt_task *task)
{
    RT_BREAKPOINT(ompd_bp_task_end);
    rt_set_state(th, RT_STATE_OVERHEAD);
    RT_TRACK(rt_store(task->exit_frame, 0));
    rt_publish(th->cur_task, rt_load(task->sched_parent));
}

/** Runs a task to its end, or, untied, to where it asks to be queued again. */
static void run(struct rt_thread *th, struct rt_task *task)
{
    struct rt_kmp_task *kmp = rt_task_payload(task);
    int deferred = task->owns_parent_ref;
    rt_task_switch_in(th, task, (uint64_t)(uintptr_t)__builtin_frame_address(0));
    do {
        task->resubmit = 0;
        kmp->routine(th->gtid, kmp);
    } while (unlikely(task->resubmit) && !deferred);
    if (unlikely(task->resubmit)) {
        rt_task_switch_out(th, task);
        rt_task_make_ready(th, task);
        return;
    }
    if (unlikely(task->flags & RT_TASK_DESTRUCTORS))
        kmp->data1.destructors(th->gtid, kmp);
    rt_task_switch_out(th, task);
    rt_task_complete(th, task);
}

/** Runs a task inside whatever the thread is doing or waiting for, and puts that state back. */
static void run_inside(struct rt_thread *th, struct rt_task *task)
{
    uint64_t wait_id = rt_load(th->wait_id), codeptr = rt_load(th->wait_codeptr);
    uint32_t state = rt_load(th->state);
    run(th, task);
    RT_TRACK(rt_store(th->wait_id, wait_id));
    RT_TRACK(rt_store(th->wait_codeptr, codeptr));
    RT_TRACK(rt_publish(th->state, state));
    (void)wait_id, (void)codeptr, (void)state;
}

int rt_task_help(struct rt_thread *th, struct rt_team *team, struct rt_help help)
{
    struct rt_task *implicit = th->implicit, *task = NULL;
    uint64_t serial = implicit->team_serial;
    struct rt_deque *own = implicit->member->deque;
    if (own != NULL && rt_load(own->count) != 0)
        task = rt_deque_take(own, serial, help.ancestor, 0);
    if (task == NULL) {
        int n = __atomic_load_n(&team->nthreads, __ATOMIC_ACQUIRE);
        struct rt_member *members = __atomic_load_n(&team->members, __ATOMIC_ACQUIRE);
        int victim = (int)(th->steal_seed % (uint32_t)n);
        for (int k = 0; k < n && task == NULL; k++, victim = victim + 1 < n ? victim + 1 : 0) {
            struct rt_deque *deque = __atomic_load_n(&members[victim].deque, __ATOMIC_ACQUIRE);
            if (deque != NULL && deque != own && rt_load(deque->count) != 0)
                task = rt_deque_take(deque, serial, help.ancestor, 1);
        }
        th->steal_seed = th->steal_seed * 1664525u + 1013904223u;
    }
    if (task == NULL)
        return 0;
    run_inside(th, task);
    return 1;
}

/* ---- submission -------------------------------------------------------------------------------------------------- */

void rt_task_make_ready(struct rt_thread *th, struct rt_task *task)
{
    struct rt_member *member = th->implicit->member;
    if (unlikely(member->deque == NULL))
        __atomic_store_n(&member->deque, rt_deque_create(), __ATOMIC_RELEASE);
    if (!task->resubmit)
        rt_store(task->state, RT_TS_READY);
    struct rt_team *team = task->team;
    rt_deque_push(member->deque, task); /* from here on the task may run and its slot be free */
    rt_notify_ordered(team, RT_EV_WORK, 1);
}

void rt_task_submit(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n)
{
    struct rt_team *team = task->team;
    if (unlikely(task == rt_load(th->cur_task))) { /* untied: its own code submits the next part */
        if (task->resubmit == RT_BY_COMPILER) {
            struct rt_kmp_task *kmp = rt_task_payload(task); /* nobody would take the next part: go on here */
            kmp->routine(th->gtid, kmp);
        } else {
            task->resubmit = 1;
        }
        return;
    }
    struct rt_task *parent = task->parent;
    if (team->nthreads == 1 ||
        parent->flags & RT_TASK_FINAL) { /* included; siblings before it are complete */
        task->flags |= RT_TASK_UNDEFERRED;
        run_inside(th, task);
        return;
    }
    struct rt_task *implicit = th->implicit;
    task->owns_parent_ref = 1;
    atomic_fetch_add_explicit(&parent->counts, RT_REF | 1, memory_order_relaxed);
    if (task->taskgroup != NULL)
        atomic_fetch_add_explicit(&task->taskgroup->count, 1, memory_order_relaxed);
    __atomic_store_n(&implicit->tasks_created, implicit->tasks_created + 1, __ATOMIC_RELEASE);
    if (unlikely(!rt_load(team->tasks_used)))
        rt_publish(team->tasks_used, 1);
    if (n > 0 && rt_deps_register(th, task, deps, n))
        return;
    struct rt_deque *deque = implicit->member->deque;
    if (unlikely(deque != NULL && rt_load(deque->count) >= QUEUE_ENOUGH))
        run_inside(th, task);
    else
        rt_task_make_ready(th, task);
}

/* ---- taskwait, taskgroup ----------------------------------------------------------------------------------------- */

static int no_children(void *argument)
{
    return rt_acquire(((struct rt_task *)argument)->children) == 0;
}

RT_NOINLINE void rt_taskwait_slow(struct rt_thread *th, struct rt_task *task, struct rt_caller caller)
{
    RT_TRACK(rt_store(task->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_TASKWAIT, RT_WAIT_TASKWAIT, task, caller.codeptr);
    rt_team_wait(th, task->team, RT_EV_WORK | RT_EV_DONE, (struct rt_help){1, task}, no_children, task);
    rt_set_state(th, rt_work_state(task));
    RT_TRACK(rt_store(task->enter_frame, 0));
    if (task->deps != NULL)
        rt_deps_forget(th, task);
}

void rt_taskgroup_begin(struct rt_thread *th)
{
    struct rt_task *task = rt_load(th->cur_task);
    struct rt_taskgroup *group = rt_slot_take(th->heap, RT_CLASS_GROUP);
    group->parent = task->taskgroup;
    group->task = task;
    rt_store(group->count, 0);
    RT_TRACK(rt_publish(group->serial, rt_task_serial(th)));
    task->taskgroup = group;
}

static int group_empty(void *argument)
{
    return rt_acquire(((struct rt_taskgroup *)argument)->count) == 0;
}

void rt_taskgroup_end(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    struct rt_taskgroup *group = task->taskgroup;
    if (rt_acquire(group->count) != 0) {
        RT_TRACK(rt_store(task->enter_frame, caller.frame));
        rt_enter_wait(th, RT_STATE_TASKGROUP, RT_WAIT_TASKGROUP, group, caller.codeptr);
        rt_team_wait(th, task->team, RT_EV_WORK | RT_EV_DONE, (struct rt_help){1, task}, group_empty, group);
        rt_set_state(th, rt_work_state(task));
        RT_TRACK(rt_store(task->enter_frame, 0));
    }
    task->taskgroup = group->parent;
    rt_slot_free(th->heap, RT_CLASS_GROUP, (struct rt_slot *)group);
}
