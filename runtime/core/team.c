/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions: fork, join, serialised regions, and the teams that stay together ("hot") between regions.
 *
 * A member of a team that leads a region keeps the inner team with its threads docked to it, so teams are hot at every
 * depth. A region starts by one store to the team's fork word, which the docked threads watch, and ends when all have
 * arrived at the join; nobody is released there: a docked thread waits for the next fork. For a debugger the region is
 * over when its serial becomes 0: that one store makes all its threads idle.
 */
#include <string.h>

#include "rt.h"

static void *word(uint64_t address)
{
    return (void *)(uintptr_t)address; /* user code, kept as a number for the debugger */
}

/** The team size for a region that `parent` encounters now (OpenMP 5.2 section 10.1.1); consumes num_threads. */
static int team_size(struct rt_thread *th, const struct rt_task *parent)
{
    int n = parent->icvs.nthreads;
    if (th->has_push) {
        if (th->push_num_threads > 0)
            n = th->push_num_threads;
        th->push_num_threads = 0;
        th->has_push = 0;
    }
    if (parent->team->active_level >= parent->icvs.max_active_levels)
        return 1;
    if (n > parent->icvs.thread_limit)
        n = parent->icvs.thread_limit;
    return n < 1 ? 1 : n;
}

/** Fills the region's description; its serial stays 0. */
static void describe(struct rt_team *team, struct rt_task *parent, const struct rt_loc *loc, void *fn, int n,
                     uint64_t codeptr)
{
    team->kind = RT_TEAM_PARALLEL;
    __atomic_store_n(&team->nthreads, n, __ATOMIC_RELEASE);
    team->level = parent->team->level + 1;
    team->active_level = parent->team->active_level + (n > 1);
    team->parent_task = parent;
    team->parent_serial = rt_load(parent->serial);
    team->fn = (uint64_t)(uintptr_t)fn;
    team->codeptr = codeptr;
    team->loc = loc;
}

/** Makes `index`'s implicit task the thread's own; the slot's old life has ended with the old region. */
static struct rt_task *implicit_begin(struct rt_thread *th, struct rt_team *team, int index)
{
    struct rt_member *member = &team->members[index];
    struct rt_task *task = member->task;
    const struct rt_task *parent = team->parent_task;
    RT_TRACK(rt_store(task->serial, 0));
    atomic_signal_fence(memory_order_seq_cst);
    if (unlikely(task->deps != NULL))
        rt_deps_forget(th, task);
    task->team = team;
    task->team_serial = rt_load(team->serial);
    task->parent = team->parent_task;
    task->fn = team->fn;
    task->codeptr = team->codeptr;
    task->loc = team->loc;
    task->flags = RT_TASK_IMPLICIT;
    rt_store(task->state, RT_TS_STARTED);
    rt_store(task->exit_frame, 0);
    rt_store(task->enter_frame, 0);
    rt_store(task->thread, th);
    rt_store(task->thread_num, index);
    rt_store(task->bar_seq, rt_load(team->bar_gen));
    task->creator_thread_num = -1;
    atomic_store_explicit(&task->counts, RT_REF, memory_order_relaxed);
    task->taskgroup = NULL;
    rt_store(task->npred, 0);
    task->icvs = parent->icvs;
    if (unlikely(rt_root.nthreads_list_count > 1) && !parent->icvs.nthreads_set) {
        uint32_t level = (uint32_t)team->level, last = rt_root.nthreads_list_count - 1;
        task->icvs.nthreads = rt_root.nthreads_list[level < last ? level : last];
    }
    task->member = member;
    task->loop_seq = team->loop_seq;
    task->single_seq = team->single_seq;
    rt_store(task->loop, NULL);
    RT_TRACK(rt_publish(task->serial, rt_task_serial(th)));
    return task;
}

/** Room for n members; grows by doubling, the old array stays (a debugger or a docked thread may read it). */
static void members_reserve(struct rt_team *team, int n)
{
    if (n <= team->members_size)
        return;
    int size = team->members_size ? team->members_size : 8;
    while (size < n)
        size *= 2;
    struct rt_member *members = rt_arena_take((size_t)size * sizeof *members);
    if (team->capacity > 0)
        memcpy(members, team->members, (size_t)team->capacity * sizeof *members);
    __atomic_store_n(&team->members, members, __ATOMIC_RELEASE);
    team->members_size = size;
}

/** Docks threads until the team has n members, or as many as there are; returns how many. */
static int team_grow(struct rt_thread *th, struct rt_team *team, int n)
{
    members_reserve(team, n);
    for (int i = 0; i < team->capacity; i++) /* after a move each implicit task must know its place again */
        team->members[i].task->member = &team->members[i];
    struct rt_thread *workers[64];
    while (team->capacity < n) {
        int want = n - team->capacity > 64 ? 64 : n - team->capacity;
        if (team->capacity == 0)
            workers[0] = th, want = 1;
        else if ((want = rt_workers_take(workers, want)) == 0)
            return team->capacity;
        for (int i = 0; i < want; i++) {
            struct rt_member *member = &team->members[team->capacity];
            rt_lock(&rt_root.lock);
            member->task = rt_slot_implicit();
            rt_unlock(&rt_root.lock);
            member->thread = workers[i];
            member->hot = NULL;
            member->deque = NULL;
            member->task->member = member;
            if (workers[i] != th) {
                workers[i]->dock_index = team->capacity;
                workers[i]->dock_fork = rt_load(team->fork);
                rt_store(workers[i]->dock, team);
                atomic_fetch_add_explicit(&team->docked, 1, memory_order_relaxed);
                rt_publish(workers[i]->dock_word, 1);
                rt_futex_wake(&workers[i]->dock_word, 1);
            }
            team->capacity++;
        }
    }
    return n;
}

static struct rt_team *team_create(struct rt_thread *th, int n)
{
    rt_lock(&rt_root.lock);
    struct rt_team *team = rt_slot_team();
    rt_unlock(&rt_root.lock);
    team->loops = rt_arena_take(RT_LOOPS * sizeof *team->loops);
    for (uint32_t i = 0; i < RT_LOOPS; i++) {
        atomic_init(&team->loops[i].seq, i);
        team->loops[i].team = team;
    }
    team_grow(th, team, n);
    return team;
}

/** A region is about to begin or has ended: the current region is `team`, the current task the encountering one. */
static void switching(struct rt_thread *th, struct rt_team *team)
{
    rt_set_state(th, RT_STATE_OVERHEAD);
    RT_TRACK(rt_store(th->switching_team, team));
    (void)team;
}

static void enter_region(struct rt_thread *th, struct rt_task *implicit)
{
    th->implicit = implicit;
    rt_store(th->cur_task, implicit);
    RT_TRACK(rt_store(th->switching_team, NULL));
    rt_set_state(th, RT_WORK_PARALLEL);
}

/** The encountering task goes on; the region's serial becomes 0 last. */
static void leave_region(struct rt_thread *th, struct rt_team *team, struct rt_task *parent,
                         struct rt_task *outer)
{
    struct rt_task *implicit = th->implicit;
    switching(th, team);
    th->implicit = outer;
    rt_store(th->cur_task, parent);
    rt_bp_parallel_end();
    RT_TRACK(rt_store(th->switching_team, NULL));
    rt_publish(team->serial, 0);
    RT_TRACK(rt_store(implicit->serial, 0));
    (void)implicit;
    RT_TRACK(rt_store(parent->enter_frame, 0));
    rt_set_state(th, rt_work_state(parent));
}

/* ---- serialised regions ------------------------------------------------------------------------------------------ */

static struct rt_team *serial_team_take(struct rt_thread *th)
{
    struct rt_team *team = th->serial_team;
    if (likely(team != NULL)) {
        th->serial_team = NULL;
        return team;
    }
    rt_lock(&rt_root.lock);
    team = rt_slot_team();
    team->own_member.task = rt_slot_implicit();
    rt_unlock(&rt_root.lock);
    team->members = &team->own_member;
    team->capacity = team->members_size = 1;
    team->own_member.thread = th;
    return team;
}

/** Keeps one team for the next serialised region of this thread; a second one goes back. */
static void serial_team_keep(struct rt_thread *th, struct rt_team *team)
{
    if (likely(th->serial_team == NULL)) {
        th->serial_team = team;
        return;
    }
    if (team->own_member.hot != NULL)
        rt_team_disband(team->own_member.hot);
    rt_lock(&rt_root.lock);
    struct rt_slot *task = (struct rt_slot *)team->own_member.task;
    task->next = rt_root.shared.free[RT_CLASS_TASK];
    rt_root.shared.free[RT_CLASS_TASK] = task;
    ((struct rt_slot *)team)->next = rt_root.free_teams;
    rt_root.free_teams = (struct rt_slot *)team;
    rt_unlock(&rt_root.lock);
}

void rt_serial_begin(struct rt_thread *th, const struct rt_loc *loc, void *fn, struct rt_caller caller)
{
    struct rt_task *parent = rt_load(th->cur_task);
    th->has_push = 0;
    th->push_num_threads = 0;
    struct rt_team *team = serial_team_take(th);
    RT_TRACK(rt_store(parent->enter_frame, caller.frame));
    describe(team, parent, loc, fn, 1, caller.codeptr);
    rt_publish(team->serial, rt_team_serial(th));
    switching(th, team);
    rt_bp_parallel_begin();
    struct rt_task *implicit = implicit_begin(th, team, 0);
    implicit->outer_implicit = th->implicit;
    enter_region(th, implicit);
}

void rt_serial_end(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    leave_region(th, team, team->parent_task, implicit->outer_implicit);
    serial_team_keep(th, team);
}

/* ---- real regions ------------------------------------------------------------------------------------------------ */

static void run(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit, int index)
{
    int32_t gtid = th->gtid, btid = index;
    rt_invoke(word(team->fn), &gtid, &btid, team->argc, team->argv, &implicit->exit_frame);
    RT_TRACK(rt_store(implicit->exit_frame, 0));
}

void rt_fork(struct rt_thread *th, const struct rt_loc *loc, void *fn, int argc, void **argv,
             struct rt_caller caller)
{
    struct rt_task *parent = rt_load(th->cur_task);
    int n = team_size(th, parent);
    struct rt_member *member = th->implicit->member;
    struct rt_team *team = NULL;
    if (n > 1) {
        team = member->hot;
        if (unlikely(team == NULL))
            team = member->hot = team_create(th, n);
        else if (unlikely(team->capacity < n))
            team_grow(th, team, n);
        if (unlikely(team->capacity < n))
            n = team->capacity;
    }
    if (n == 1) {
        rt_serial_begin(th, loc, fn, caller);
        struct rt_task *implicit = th->implicit;
        int32_t gtid = th->gtid, btid = 0;
        rt_invoke(fn, &gtid, &btid, argc, argv, &implicit->exit_frame);
        RT_TRACK(rt_store(implicit->exit_frame, 0));
        rt_serial_end(th);
        return;
    }
    RT_TRACK(rt_store(parent->enter_frame, caller.frame));
    describe(team, parent, loc, fn, n, caller.codeptr);
    team->argc = argc;
    team->argv = argv;
    team->loop_seq = team->members[0].task->loop_seq;
    team->single_seq = team->members[0].task->single_seq;
    rt_store(team->arrived, 0);
    rt_publish(team->serial, rt_team_serial(th));
    switching(th, team);
    rt_bp_parallel_begin();
    uint64_t fork = (rt_load(team->fork) & ~0xffffffffULL) + (1ULL << 32);
    rt_publish(team->fork, fork | (uint32_t)n);
    rt_notify(team, RT_EV_FORK, INT32_MAX);

    struct rt_task *outer = th->implicit, *implicit = implicit_begin(th, team, 0);
    implicit->outer_implicit = outer;
    enter_region(th, implicit);
    run(th, team, implicit, 0);

    rt_join_arrive(th, team, implicit);
    rt_join_wait(th, team);
    rt_store(team->tasks_used, 0);
    leave_region(th, team, parent, outer);
}

struct serve_wait {
    struct rt_team *team;
    uint64_t fork;
    int joined; /**< this thread has arrived at the join of that region; else its arrivals are none of its business */
};

/** The next region has begun. Who sees meanwhile that the last task of this one is complete tells the primary. */
static int serve_ready(void *argument)
{
    struct serve_wait *wait = argument;
    struct rt_team *team = wait->team;
    if (rt_acquire(team->fork) != wait->fork)
        return 1;
    uint32_t n = (uint32_t)wait->fork;
    if (wait->joined && rt_load(team->tasks_used) && rt_acquire(team->arrived) == n &&
        !rt_team_has_tasks(team) &&
        atomic_compare_exchange_strong_explicit(&team->arrived, &n, n | RT_JOINED, memory_order_acq_rel,
                                                memory_order_relaxed))
        rt_notify(team, RT_EV_ARRIVE, INT32_MAX);
    return rt_acquire(team->fork) != wait->fork;
}

void rt_team_serve(struct rt_thread *th, struct rt_team *team, int index, uint64_t fork)
{
    struct serve_wait wait = {team, fork, 0};
    for (;;) {
        rt_team_wait(th, team, RT_EV_FORK | (wait.joined ? RT_EV_WORK : 0),
                     (struct rt_help){wait.joined, NULL}, serve_ready, &wait);
        wait.fork = rt_acquire(team->fork);
        if (unlikely(team->disband))
            break;
        if (index >= (int)(uint32_t)wait.fork) {
            wait.joined = 0;
            continue;
        }
        rt_set_state(th, RT_STATE_OVERHEAD);
        struct rt_task *implicit = implicit_begin(th, team, index);
        implicit->outer_implicit = NULL;
        enter_region(th, implicit);
        run(th, team, implicit, index);
        rt_join_arrive(th, team, implicit);
        wait.joined = 1;
    }
    th->implicit = NULL;
    rt_store(th->cur_task, NULL);
    if (team->members[index].task->deps != NULL)
        rt_deps_forget(th, team->members[index].task);
    atomic_fetch_sub_explicit(&team->docked, 1, memory_order_release);
}

void rt_team_disband(struct rt_team *team)
{
    for (int i = 0; i < team->capacity; i++)
        if (team->members[i].hot != NULL)
            rt_team_disband(team->members[i].hot);
    team->disband = 1;
    rt_publish(team->fork, (rt_load(team->fork) & ~0xffffffffULL) + (1ULL << 32));
    rt_notify(team, RT_EV_FORK, INT32_MAX);
    struct rt_patience patience = {0, 0};
    while (rt_acquire(team->docked) != 0)
        rt_patience_spent(&patience);
    /* The slots are for others now; queues and arrays are small and stay with the arena. */
    rt_lock(&rt_root.lock);
    for (int i = 0; i < team->capacity; i++) {
        struct rt_slot *task = (struct rt_slot *)team->members[i].task;
        rt_store(task->serial, 0);
        task->next = rt_root.shared.free[RT_CLASS_TASK];
        rt_root.shared.free[RT_CLASS_TASK] = task;
    }
    ((struct rt_slot *)team)->next = rt_root.free_teams;
    rt_root.free_teams = (struct rt_slot *)team;
    rt_unlock(&rt_root.lock);
}

/* ---- the initial task of a thread of the program ------------------------------------------------------------------ */

void rt_initial_begin(struct rt_thread *th)
{
    rt_lock(&rt_root.lock);
    struct rt_team *team = rt_slot_team();
    struct rt_task *task = rt_slot_implicit();
    rt_unlock(&rt_root.lock);
    team->kind = RT_TEAM_INITIAL;
    team->nthreads = 1;
    team->capacity = team->members_size = 1;
    team->own_member = (struct rt_member){task, th, NULL, NULL};
    team->members = &team->own_member;
    rt_publish(team->serial, rt_team_serial(th));
    task->team = team;
    task->team_serial = rt_load(team->serial);
    task->flags = RT_TASK_INITIAL;
    rt_store(task->state, RT_TS_STARTED);
    rt_store(task->thread, th);
    task->creator_thread_num = -1;
    atomic_store_explicit(&task->counts, RT_REF, memory_order_relaxed);
    task->icvs = rt_root.icvs;
    task->member = &team->own_member;
    rt_publish(task->serial, rt_task_serial(th));
    enter_region(th, task);
    rt_set_state(th, RT_WORK_SERIAL);
}

void rt_initial_end(struct rt_thread *th)
{
    struct rt_task *task = th->implicit;
    while (task->outer_implicit !=
           NULL) /* the thread ends inside a region, which the specification forbids */
        task = task->outer_implicit;
    struct rt_team *team = task->team;
    if (team->own_member.hot != NULL)
        rt_team_disband(team->own_member.hot);
    if (task->deps != NULL)
        rt_deps_forget(th, task);
    if (th->serial_team != NULL && th->serial_team->own_member.hot != NULL) {
        rt_team_disband(th->serial_team->own_member.hot);
        th->serial_team->own_member.hot = NULL;
    }
    rt_store(th->cur_task, NULL);
    rt_publish(team->serial, 0);
    rt_store(task->serial, 0);
    rt_lock(&rt_root.lock);
    ((struct rt_slot *)task)->next = rt_root.shared.free[RT_CLASS_TASK];
    rt_root.shared.free[RT_CLASS_TASK] = (struct rt_slot *)task;
    ((struct rt_slot *)team)->next = rt_root.free_teams;
    rt_root.free_teams = (struct rt_slot *)team;
    rt_unlock(&rt_root.lock);
}
