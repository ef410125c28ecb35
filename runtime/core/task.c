/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Explicit tasks: creation, queueing, running, completion; taskwait and taskgroup.
 *
 * One 64-bit word per task counts its incomplete children (low half) and the references to its slot (high
 * half): one for itself until it is complete, one for each child whose slot exists, one for each dependence
 * set that names it. So the chain of generating tasks above a live task is always there, for the runtime and
 * for a debugger.
 */
#include "task_inline.h"

#define STEAL_MOST   16 /**< tasks that a thief takes at a time, at most half of what is there */
#define AT_ONCE_MOST 16 /**< so many before it looks at its queue again, fewer in a large team */
#define SHY_MOST \
    4 /**< doublings of the time between two looks at a queue whose owner runs each task himself */

/* ---- creation ------------------------------------------------------------------------------------------ */

struct rt_task *rt_task_slot_large(struct rt_thread *th, size_t bytes)
{
    if (bytes > 4096) {
        struct rt_task *task = rt_slot_huge(bytes);
        task->class = RT_CLASS_HUGE;
        rt_store(task->stamp, 0); /* it may have been another thread's */
        rt_store(task->counts, RT_REF);
        return task;
    }
    return rt_slot_take(th->heap, bytes <= 1024 ? RT_CLASS_TASK_1K : RT_CLASS_TASK_4K);
}

struct rt_task *rt_task_create(struct rt_thread *th, uint32_t flags, size_t payload, uint64_t fn,
                               const struct rt_loc *loc, struct rt_caller caller)
{
    return rt_task_new(th, flags, payload, fn, loc, caller.codeptr);
}

/* ---- end of life --------------------------------------------------------------------------------------- */

/** What rt_task_init relies on is as it was in a new slot. */
static inline void slot_free(struct rt_thread *th, struct rt_task *task)
{
    rt_store(task->counts, RT_REF);
    rt_store(task->priority_event, 0);
    task->marks = 0;
    if (likely(task->class == RT_CLASS_TASK && task->heap == th->heap))
        rt_slot_free(th->heap, RT_CLASS_TASK, (struct rt_slot *)task);
    else if (task->class == RT_CLASS_HUGE)
        rt_slot_huge_free(task);
    else
        rt_slot_give_back(th, task->heap, (enum rt_class)task->class, (struct rt_slot *)task);
}

void rt_task_deref(struct rt_thread *th, struct rt_task *task)
{
    while (atomic_fetch_sub_explicit(&task->counts, RT_REF, memory_order_acq_rel) >> 32 == 1) {
        struct rt_task *parent = task->parent;
        int up = task->owns_parent_ref;
        rt_tsan_acquire(task);
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
            rt_tsan_release(task);
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
        /*
         * The parent's slot is held by its own reference or, if it is complete too, was held by this one
         * alone.
         */
        if (unlikely(before >> 32 == 1)) {
            struct rt_task *grandparent = parent->parent;
            int up = parent->owns_parent_ref;
            rt_tsan_acquire(parent);
            slot_free(th, parent);
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
    } else { /* omp_fulfill_event by somebody else, who will not look at the team's barrier himself */
        atomic_fetch_add_explicit(&team->completed_outside, 1, memory_order_seq_cst);
        rt_notify_ordered(team, RT_EV_DONE | RT_EV_RELEASE | RT_EV_ARRIVE | RT_EV_WORK | RT_EV_FORK,
                          INT32_MAX);
    }
}

/* ---- running ------------------------------------------------------------------------------------------- */

static RT_COLD void tell_enter(struct rt_thread *th, struct rt_task *task)
{
    uint32_t status = th->yields ? ompt_task_yield : ompt_task_switch;
    th->yields = 0;
    if (RT_WANTS(RT_ON_SCHEDULE))
        rt_tell_schedule(th, rt_load(task->sched_parent), status, task);
    if (task->chunked && RT_WANTS(RT_ON_DISPATCH)) {
        const struct rt_chunk *chunk = rt_task_chunk(task);
        task->chunked = 0; /* an untied task comes here with each of its parts */
        rt_tell_chunk(th, ompt_dispatch_taskloop_chunk, chunk->first, chunk->iterations);
    }
}

void rt_task_switch_in(struct rt_thread *th, struct rt_task *task, uint64_t frame)
{
    rt_task_enter(th, task, rt_load(th->implicit->thread_num), frame);
    rt_store(task->state, RT_TS_STARTED);
    rt_publish(th->cur_task, task);
    if (RT_WANTS(RT_ON_SCHEDULE | RT_ON_DISPATCH))
        tell_enter(th, task);
}

void rt_task_switch_out(struct rt_thread *th, struct rt_task *task)
{
    rt_task_leave(th, task);
}

RT_NOINLINE struct rt_task *rt_task_end_slow(struct rt_thread *th, struct rt_task *task)
{
    if (task->lazy_reduction)
        rt_reduction_task_done(th, task);
    struct rt_task *below = rt_task_leave(th, task);
    rt_task_complete(th, task);
    return below;
}

/** The task's own code, in the convention of the compiler that made it; by way of ompd_bp_task_begin. */
static inline void call(struct rt_thread *th, const struct rt_task *task, struct rt_kmp_task *kmp)
{
    void *fn = (void *)kmp->routine;
    if (task->call == RT_CALL_GOMP)
        rt_task_call(kmp->shareds, NULL, fn);
    else
        rt_task_call((void *)(intptr_t)th->gtid, kmp, fn);
}

/** An untied task (clang's) that nobody else may go on with. */
static RT_NOINLINE void further_parts(struct rt_thread *th, struct rt_task *task, struct rt_kmp_task *kmp)
{
    while (task->resubmit) {
        task->resubmit = 0;
        kmp->routine(th->gtid, kmp);
    }
}

/** A cancelled task that has not started: nothing waits for its event. */
static RT_COLD void drop(struct rt_thread *th, struct rt_task *task)
{
    int group = task->taskgroup != NULL && rt_load(task->taskgroup->cancelled);
    rt_store(task->event, RT_EVENT_NONE);
    task->told_cancel = 1;
    RT_EVENT(th, RT_ON_CANCEL, .task = task,
             .flags = ompt_cancel_discarded_task | (group ? ompt_cancel_taskgroup : ompt_cancel_parallel));
}

/**
 * Runs a task to its end, or, untied, to where it asks to be queued again. A cancelled one only ends.
 * working: the thread comes from user code and goes back there, so its state is right all the time.
 */
static inline void run(struct rt_thread *th, struct rt_task *task, int working)
{
    struct rt_kmp_task *kmp = rt_task_payload(task);
    int deferred = task->owns_parent_ref;
    if (!working)
        rt_set_state(th, RT_STATE_OVERHEAD);
    rt_task_switch_in(th, task, (uint64_t)(uintptr_t)__builtin_frame_address(0));
    if (!working)
        rt_set_state(th, rt_work_state(task));
    int cancelled =
        unlikely(rt_root.cancellation) && deferred && kmp->part_id == 0 && rt_task_cancelled(task);
    if (cancelled) {
        rt_task_call(NULL, NULL, (void *)rt_task_passed);
        drop(th, task);
    } else {
        task->resubmit = 0;
        call(th, task, kmp);
        if (unlikely(task->resubmit) && !deferred)
            further_parts(th, task, kmp);
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
    if (unlikely(rt_event_body_done(task)))
        return;
    rt_task_complete(th, task);
}

/** Runs a task inside whatever the thread is doing or waiting for, and puts that state back. */
static void run_inside(struct rt_thread *th, struct rt_task *task)
{
    uint64_t wait_id = rt_load(th->wait_id), codeptr = rt_load(th->wait_codeptr);
    uint32_t state = rt_load(th->state);
    run(th, task, 0);
    RT_TRACK(rt_store(th->wait_id, wait_id));
    RT_TRACK(rt_store(th->wait_codeptr, codeptr));
    RT_TRACK(rt_publish(th->state, state));
    (void)wait_id, (void)codeptr, (void)state;
}

/**
 * Takes a task for now and some more for the own queue, so that many small tasks do not all pass the other's
 * lock.
 */
static struct rt_task *steal(struct rt_thread *th, struct rt_deque *from, uint64_t serial, int only_left)
{
    struct rt_task *tasks[STEAL_MOST];
    uint32_t count = rt_deque_take_some(from, serial, tasks, STEAL_MOST, only_left ? &th->seen_task : NULL);
    if (count == 0) {
        th->shy += th->shy < SHY_MOST;
        return NULL;
    }
    th->shy = 0;
    if (count > 1) {
        /*
         * Read only now: who finds nothing may be a late one of an ended region, whose team grows meanwhile.
         */
        struct rt_deque *own = rt_deque_at(&th->implicit->member->deque);
        for (uint32_t i = count - 1; i > 0; i--) /* the oldest is the next */
            rt_deque_push(own, tasks[i]);
        atomic_thread_fence(memory_order_seq_cst);
        rt_notify_work(tasks[0]->team); /* a sleeper may have looked at both too early */
    }
    return tasks[0];
}

int rt_task_queued(struct rt_team *team)
{
    const struct rt_deque *urgent = rt_acquire(team->urgent);
    if (urgent != NULL && rt_load(urgent->count) != 0)
        return 1;
    int n = __atomic_load_n(&team->nthreads, __ATOMIC_ACQUIRE);
    struct rt_member *members = __atomic_load_n(&team->members, __ATOMIC_ACQUIRE);
    for (int i = 0; i < n; i++) {
        const struct rt_deque *deque = rt_acquire(members[i].deque);
        if (deque != NULL && rt_load(deque->count) != 0)
            return 1;
    }
    return 0;
}

int rt_task_help(struct rt_thread *th, struct rt_team *team, struct rt_help help)
{
    struct rt_task *implicit = th->implicit, *task = NULL;
    uint64_t serial = implicit->team_serial;
    struct rt_member *member = __atomic_load_n(&implicit->member, __ATOMIC_RELAXED);
    struct rt_deque *own = rt_load(member->deque), *urgent = rt_acquire(team->urgent);
    if (unlikely(urgent != NULL) && rt_load(urgent->count) != 0)
        task = rt_deque_take(urgent, serial, help.ancestor, 1);
    if (task == NULL && own != NULL && rt_load(own->count) != 0)
        task = rt_deque_take(own, serial, help.ancestor, 0);
    if (task == NULL && help.steal != RT_STEAL_NO) {
        int n = __atomic_load_n(&team->nthreads, __ATOMIC_ACQUIRE);
        struct rt_member *members = __atomic_load_n(&team->members, __ATOMIC_ACQUIRE);
        int victim = (int)(th->steal_seed % (uint32_t)n);
        for (int k = 0; k < n && task == NULL; k++, victim = victim + 1 < n ? victim + 1 : 0) {
            struct rt_deque *deque = rt_acquire(members[victim].deque);
            if (deque != NULL && deque != own && rt_load(deque->count) != 0)
                task = help.ancestor == NULL ? steal(th, deque, serial, help.steal == RT_STEAL_LEFT)
                                             : rt_deque_take(deque, serial, help.ancestor, 1);
        }
        th->steal_seed = th->steal_seed * 1664525u + 1013904223u;
    }
    if (task == NULL)
        return 0;
    if (unlikely(th->called))
        rt_call_answered(th, team);
    run_inside(th, task);
    return 1;
}

/* ---- submission ---------------------------------------------------------------------------------------- */

void rt_task_make_ready(struct rt_thread *th, struct rt_task *task)
{
    struct rt_team *team = task->team;
    struct rt_task *implicit = th->implicit;
    rt_store(task->state, RT_TS_READY); /* an untied one's next part too: it is on no thread's stack now */
    /* From the push on the task may run and its slot be free. */
    if (unlikely(task->priority > 0)) {
        rt_deque_insert(rt_deque_at(&team->urgent), task);
    } else {
        struct rt_member *member = likely(implicit->team == team)
                                       ? implicit->member
                                       : &team->members[task->creator_thread_num]; /* omp_fulfill_event */
        rt_deque_push(rt_deque_at(&member->deque), task);
    }
    rt_notify_work(team);
}

void rt_task_count(struct rt_thread *th, struct rt_task *task)
{
    struct rt_task *implicit = th->implicit;
    task->owns_parent_ref = 1;
    atomic_fetch_add_explicit(&task->parent->counts, RT_REF | 1, memory_order_relaxed);
    if (task->taskgroup != NULL)
        atomic_fetch_add_explicit(&task->taskgroup->count, 1, memory_order_relaxed);
    __atomic_store_n(&implicit->tasks_created, implicit->tasks_created + 1, __ATOMIC_RELEASE);
    if (unlikely(!rt_load(task->team->tasks_used)))
        rt_publish(task->team->tasks_used, 1);
}

/** Untied: the task's own code submits its next part. */
static void next_part(struct rt_thread *th, struct rt_task *task)
{
    struct rt_kmp_task *kmp = rt_task_payload(task);
    if (task->resubmit == RT_BY_COMPILER)
        kmp->routine(th->gtid, kmp); /* nobody would take the next part: go on here */
    else
        task->resubmit = 1;
}

/**
 * Whether a new task is better run by its creator than queued. The queue's count is a line that thieves
 * write.
 */
static int queue_is_full(struct rt_thread *th, const struct rt_team *team)
{
    if (th->at_once > 0) {
        th->at_once--;
        return 1;
    }
    const struct rt_deque *deque = rt_load(th->implicit->member->deque), *urgent = rt_load(team->urgent);
    if (likely((deque == NULL || rt_load(deque->count) < rt_root.queue_enough) &&
               (urgent == NULL || rt_load(urgent->count) < rt_root.queue_enough)))
        return 0;
    uint32_t some = rt_root.queue_enough / (4 * (uint32_t)team->nthreads);
    th->at_once = some < AT_ONCE_MOST ? some : AT_ONCE_MOST;
    return 1;
}

/**
 * Whether nobody has to know the task when its code has ended, and its siblings are complete, unless one was
 * detached.
 */
static int needs_nothing(const struct rt_task *task, int n)
{
    return rt_load(task->event) == RT_EVENT_NONE && (n == 0 || rt_acquire(task->parent->children) == 0);
}

/**
 * Whether a task is run by its creator at once, since nothing else is allowed (it is included) or there is
 * nobody else.
 */
static int is_at_once(const struct rt_task *task, int n)
{
    return task->parent->flags & RT_TASK_FINAL || (task->team->nthreads == 1 && needs_nothing(task, n));
}

static void run_undeferred(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n,
                           struct rt_caller caller);

void rt_task_submit(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n)
{
    struct rt_team *team = task->team;
    if (unlikely(task == rt_load(th->cur_task))) {
        next_part(th, task);
        return;
    }
    struct rt_task *parent = task->parent;
    int alone = team->nthreads == 1;
    if (RT_WANTS(RT_ON_CREATE))
        rt_tell_create(th, task, is_at_once(task, n) ? RT_TASK_UNDEFERRED : 0, deps, n, 0);
    if (alone || parent->flags & RT_TASK_FINAL) {
        if (likely(needs_nothing(task, n))) {
            task->flags |= RT_TASK_UNDEFERRED;
            if (n > 0 && parent->deps != NULL)
                rt_deps_forget(th, parent);
            run(th, task, 1);
            return;
        }
    }
    if (unlikely(parent->flags & RT_TASK_FINAL)) {
        run_undeferred(th, task, deps, n, (struct rt_caller){task->codeptr, rt_load(parent->enter_frame)});
        return;
    }
    if (unlikely(task->priority > rt_root.max_task_priority))
        task->priority = rt_root.max_task_priority;
    int full = queue_is_full(th, team);
    if (full && n == 0 && rt_load(task->event) == RT_EVENT_NONE && !rt_task_cancelled(task)) {
        run(th, task, 1); /* its creator waits for it, so nobody has to count it */
        return;
    }
    rt_task_count(th, task);
    if (n > 0 && rt_deps_register(th, task, deps, n))
        return;
    if (unlikely(alone || full))
        run_inside(th, task);
    else
        rt_task_make_ready(th, task);
}

/**
 * Its creator goes on when its code has ended (OpenMP 5.2 glossary, undeferred task). A detachable one may
 * then be incomplete: it counts as a deferred one does, and who fulfils its event completes it.
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
    if (rt_load(task->event) != RT_EVENT_NONE) {
        rt_task_count(th, task);
        if (n > 0)
            rt_deps_register(th, task, deps, n);
    }
    rt_task_switch_in(th, task, (uint64_t)(uintptr_t)__builtin_frame_address(0));
    task->resubmit = 0;
    call(th, task, kmp);
    further_parts(th, task, kmp);
    if (unlikely(task->flags & RT_TASK_DESTRUCTORS))
        kmp->data1.destructors(th->gtid, kmp);
    if (unlikely(task->lazy_reduction))
        rt_reduction_task_done(th, task);
    rt_task_switch_out(th, task);
    if (likely(!rt_event_body_done(task)))
        rt_task_complete(th, task);
}

void rt_task_run_undeferred(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n,
                            struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_CREATE))
        rt_tell_create(th, task, RT_TASK_UNDEFERRED, deps, n, caller.frame);
    run_undeferred(th, task, deps, n, caller);
}

void rt_taskyield(struct rt_thread *th)
{
    struct rt_task *task = rt_load(th->cur_task);
    if (task->team->nthreads == 1 || !rt_load(task->team->tasks_used))
        return;
    th->yields = 1;
    rt_task_help(th, task->team, rt_help_below(task));
    th->yields = 0;
}

/* ---- taskwait, taskgroup ------------------------------------------------------------------------------- */

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
    rt_team_wait(th, task->team, RT_EV_WORK | RT_EV_DONE, rt_help_below(task), no_children, task);
    rt_set_state(th, rt_work_state(task));
    RT_TRACK(rt_store(task->enter_frame, 0));
    if (task->deps != NULL)
        rt_deps_forget(th, task);
}

RT_NOINLINE void rt_taskwait_slow(struct rt_thread *th, struct rt_task *task, struct rt_caller caller)
{
    int told = RT_WANTS(RT_ON_SYNC), parts = RT_SYNC_REGION | RT_SYNC_WAIT;
    if (unlikely(told))
        rt_tell_sync_begin(th, parts, RT_STATE_TASKWAIT, RT_WAIT_TASKWAIT, task, caller.codeptr,
                           caller.frame);
    taskwait(th, task, caller);
    if (unlikely(told))
        rt_tell_sync_end(th, parts, RT_STATE_TASKWAIT, caller.codeptr, caller.frame);
}

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
    group->told = 0;
    group->heap = th->heap;
    RT_TRACK(rt_publish(group->serial, rt_task_serial(th)));
    task->taskgroup = group;
}

void rt_taskgroup_begin_told(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    uint64_t outer_frame = rt_load(task->enter_frame);
    rt_taskgroup_begin(th);
    task->taskgroup->told = 1;
    rt_tell_sync_begin(th, RT_SYNC_REGION, RT_STATE_TASKGROUP, RT_WAIT_TASKGROUP, task->taskgroup,
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
    rt_team_wait(th, task->team, RT_EV_WORK | RT_EV_DONE, rt_help_below(task), group_empty, group);
    rt_set_state(th, rt_work_state(task));
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

static RT_COLD void taskgroup_end_told(struct rt_thread *th, struct rt_task *task, struct rt_taskgroup *group,
                                       struct rt_caller caller)
{
    rt_tell_sync_begin(th, RT_SYNC_WAIT, RT_STATE_TASKGROUP, RT_WAIT_TASKGROUP, group, caller.codeptr,
                       caller.frame);
    group_wait(th, task, group, caller);
    rt_tell_sync_end(th, RT_SYNC_WAIT, RT_STATE_TASKGROUP, caller.codeptr, caller.frame);
    if (group->reduction != NULL)
        rt_reduction_finish(th, group, caller);
    rt_tell_sync_end(th, RT_SYNC_REGION, RT_STATE_TASKGROUP, caller.codeptr, caller.frame);
    group_end(th, task, group);
}

void rt_taskgroup_end(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    struct rt_taskgroup *group = task->taskgroup;
    if (unlikely(group->told)) {
        taskgroup_end_told(th, task, group, caller);
        return;
    }
    group_wait(th, task, group, caller);
    if (unlikely(group->reduction != NULL))
        rt_reduction_finish(th, group, caller);
    group_end(th, task, group);
}
