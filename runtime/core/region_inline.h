/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How any region is described, entered and left, and how one of one thread begins: what real regions
 * (region.c) and serialised ones (region_serial.c) have in common, inline in both.
 */
#ifndef RT_REGION_INLINE_H
#define RT_REGION_INLINE_H

#include "debug.h"
#include "depend.h"
#include "display.h"
#include "places.h"
#include "region_call.h"
#include "slots.h"

/** What the clauses that precede a region say, for this region alone. */
struct pushed {
    int num_threads, proc_bind;
    uint8_t severity;
    const char *message;
    const int32_t *list;
    uint32_t list_count;
};

static inline struct pushed take_pushed(struct rt_thread *th)
{
    struct pushed pushed = {0};
    if (likely(!th->has_push))
        return pushed;
    pushed = (struct pushed){th->push_num_threads, th->push_proc_bind, th->push_severity,
                             th->push_message,     th->push_list,      th->push_list_count};
    th->has_push = 0;
    th->push_num_threads = 0;
    th->push_proc_bind = 0;
    th->push_severity = 0;
    th->push_message = NULL;
    th->push_list = NULL;
    th->push_list_count = 0;
    return pushed;
}

/** Reports begin or end of a region, in its encountering task. */
void rt_region_report(struct rt_thread *th, struct rt_team *team, int end, int asked);

/**
 * Of a team of n: stores only what is new. The others have these lines from the region before, and a store
 * would take them away. In a team of one there is nobody to disturb.
 */
#define STORE_NEW(n, word, value)                                   \
    do {                                                            \
        __typeof__(word) new_value = (value);                       \
        if ((n) == 1 || (word) != new_value)                        \
            __atomic_store_n(&(word), new_value, __ATOMIC_RELAXED); \
    } while (0)

/**
 * The arguments of clang's code are on the stack of the primary, in a line that it goes on writing. They are
 * mostly those of the region before, so the others have them in the team already.
 */
static inline void arguments_describe(struct rt_team *team, const struct rt_region *region, int n)
{
    void **argv = region->argv;
    STORE_NEW(n, team->argc, region->argc);
    if (n > 1 && region->call == RT_CALL_KMPC && region->argc <= RT_TEAM_ARGS) {
        for (int i = 0; i < region->argc; i++)
            STORE_NEW(n, team->args[i], argv[i]);
        argv = team->args;
    }
    STORE_NEW(n, team->argv, argv);
}

/** Fills the region's description; its serial stays 0. */
static inline __attribute__((always_inline)) void team_describe(struct rt_team *team, struct rt_task *parent,
                                                                const struct rt_region *region, int n,
                                                                uint64_t codeptr)
{
    const struct rt_team *outer = parent->team;
    struct rt_group *group = outer->group;
    STORE_NEW(n, team->kind, RT_TEAM_PARALLEL);
    if (n == 1 || team->nthreads != n)
        __atomic_store_n(&team->nthreads, n, __ATOMIC_RELEASE);
    STORE_NEW(n, team->level, outer->level + 1);
    STORE_NEW(n, team->active_level, outer->active_level + (n > 1));
    STORE_NEW(n, team->num_teams, outer->num_teams);
    STORE_NEW(n, team->team_num, outer->team_num);
    if (unlikely(parent->icvs.thread_limit < group->limit)) {
        /*
         * `target thread_limit(...)` on the host (abi/kmpc_teams.c): what it encloses shares a limit of its
         * own.
         */
        group = &team->own_group;
        group->limit = parent->icvs.thread_limit;
        rt_store(group->threads, n);
    }
    STORE_NEW(n, team->group, group);
    STORE_NEW(n, team->call, (uint8_t)region->call);
    STORE_NEW(n, team->by_program, (uint8_t)region->by_program);
    arguments_describe(team, region, n);
    STORE_NEW(n, team->prepare, region->prepare);
    STORE_NEW(n, team->prepare_argument, region->argument);
    if (n == 1 || unlikely(rt_load(team->cancel) != 0))
        rt_store(team->cancel, 0);
    STORE_NEW(n, team->parent_task, parent);
    STORE_NEW(n, team->parent_serial, rt_load(parent->serial));
    STORE_NEW(n, team->fn, (uint64_t)(uintptr_t)region->fn);
    STORE_NEW(n, team->codeptr, codeptr);
    STORE_NEW(n, team->loc, region->loc);
}

/** Makes the implicit task of member `index` the thread's own; the slot's serial is 0. */
static inline struct rt_task *implicit_begin(struct rt_thread *th, struct rt_team *team,
                                             struct rt_member *member, uint32_t index)
{
    struct rt_task *task = member->task;
    struct rt_task *parent = team->parent_task;
    if (unlikely(task->deps != NULL))
        rt_deps_forget(th, task);
    __atomic_store_n(&task->team, team, __ATOMIC_RELAXED); /* tools/where.h */
    __atomic_store_n(&task->team_serial, rt_load(team->serial), __ATOMIC_RELAXED);
    task->parent = parent;
    task->fn = team->fn;
    task->codeptr = team->codeptr;
    task->loc = team->loc;
    __atomic_store_n(&task->flags, team->kind == RT_TEAM_PARALLEL ? RT_TASK_IMPLICIT : RT_TASK_INITIAL,
                     __ATOMIC_RELAXED);
    rt_store(task->state, RT_TS_STARTED);
    rt_store(task->exit_frame, 0);
    rt_store(task->enter_frame, 0);
    rt_store(task->thread, th);
    rt_store(task->thread_num, (int32_t)index);
    uint32_t barriers = rt_load(team->bar_gen);
    rt_store(task->bar_seq, barriers);
    RT_TRACK(rt_store(task->bar_left, barriers));
    task->creator_thread_num = -1;
    atomic_store_explicit(&task->counts, RT_REF, memory_order_relaxed);
    task->taskgroup = NULL;
    rt_store(task->npred, 0);
    task->icvs = parent->icvs;
    if (unlikely(team->nthreads_rest_count != 0)) {
        task->icvs.nthreads_rest = team->nthreads_rest;
        task->icvs.nthreads_rest_count = (uint16_t)team->nthreads_rest_count;
    }
    if (unlikely(task->icvs.nthreads_rest_count != 0)) {
        task->icvs.nthreads = *task->icvs.nthreads_rest++;
        task->icvs.nthreads_rest_count--;
    }
    if (unlikely(rt_root.binding)) {
        task->icvs.bind = team->bind;
        task->icvs.place_first = member->part_first;
        task->icvs.place_count = member->part_count;
    }
    if (unlikely(team->kind != RT_TEAM_PARALLEL)) {
        /* A team of a league has the encountering task's variables, a target region the initial ones. */
        task->icvs = team->kind == RT_TEAM_TEAMS ? parent->icvs : rt_root.icvs;
        if (team->own_group.limit < task->icvs.thread_limit)
            task->icvs.thread_limit = team->own_group.limit;
    }
    task->member = member;
    task->workshare_seq = team->workshare_seq;
    task->single_seq = task->single_seen = team->single_seq;
    rt_store(task->loop, NULL);
    task->doacross = NULL;
    task->workshare = NULL;
    uint64_t serial = 0;
    RT_TRACK(serial = team->first_task + index);
    rt_store(task->stamp, serial);
    RT_TRACK(rt_publish(task->serial, serial));
    return task;
}

/** The same in a hot team, whose slots keep the old region's tasks until now. */
static inline struct rt_task *member_begin(struct rt_thread *th, struct rt_team *team, int index)
{
    struct rt_member *member = &team->members[index];
    RT_TRACK(rt_store(member->task->serial, 0));
    atomic_signal_fence(memory_order_seq_cst);
    return implicit_begin(th, team, member, (uint32_t)index);
}

/**
 * A region is about to begin or has ended: the current region is `team`, the current task the encountering
 * one.
 */
static inline void region_switch(struct rt_thread *th, struct rt_team *team)
{
    rt_set_state(th, RT_STATE_OVERHEAD);
    RT_TRACK(rt_store(th->switching_team, team));
    (void)team;
}

static inline void enter_region(struct rt_thread *th, struct rt_task *implicit)
{
    th->implicit = implicit;
    rt_store(th->cur_task, implicit);
    RT_TRACK(rt_store(th->switching_team, NULL));
    rt_set_state(th, rt_state_working(implicit));
    if (RT_WANTS(RT_ON_IMPLICIT))
        rt_report_implicit(th, 0);
}

/** What each member does inside the region before its code. */
static inline void member_prepare(struct rt_thread *th, struct rt_team *team)
{
    if (unlikely(rt_root.binding) && team->kind == RT_TEAM_PARALLEL)
        rt_place_enter(th, th->implicit->member);
    if (unlikely(rt_root.display_affinity))
        rt_display_affinity(th);
    if (team->prepare != NULL)
        team->prepare(th, team->prepare_argument);
}

/** The encountering task goes on; the region's serial becomes 0 last. */
static inline void leave_region(struct rt_thread *th, struct rt_team *team, struct rt_task *parent,
                                struct rt_task *outer)
{
    struct rt_task *implicit = th->implicit;
    if (RT_WANTS(RT_ON_IMPLICIT))
        rt_report_implicit(th, 1);
    region_switch(th, team);
    th->implicit = outer;
    rt_store(th->cur_task, parent);
    if (RT_WANTS(RT_ON_PARALLEL))
        rt_region_report(th, team, 1, 0);
    if (likely(team->kind == RT_TEAM_PARALLEL))
        rt_bp_parallel_end();
    else if (team->kind == RT_TEAM_TEAMS)
        rt_bp_teams_end();
    else
        rt_bp_target_end();
    RT_TRACK(rt_store(th->switching_team, NULL));
    rt_publish(team->serial, 0);
    RT_TRACK(rt_store(implicit->serial, 0));
    (void)implicit;
    RT_TRACK(rt_store(parent->enter_frame, 0));
    rt_set_state(th, rt_state_working(parent));
}

/* ---- regions of one thread, which a fork may become -------------------------------------------------- */

static inline struct rt_team *serial_team_take(struct rt_thread *th)
{
    struct rt_team *team = th->serial_team;
    if (likely(team != NULL)) {
        th->serial_team = team->next_serial;
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

/** A team of one, with a description by its caller; its serial makes it visible. */
static inline void serialised_begin(struct rt_thread *th, struct rt_team *team)
{
    team->workshare_seq = team->own_member.task->workshare_seq;
    team->single_seq = team->own_member.task->single_seq;
    RT_TRACK(team->first_task = rt_task_serial(th));
    rt_publish(team->serial, rt_team_serial(th));
    region_switch(th, team);
}

/** Kept out of the common path of regions of one thread. */
static RT_COLD RT_NOINLINE void serialised_affinity(struct rt_thread *th, struct rt_team *team)
{
    const struct rt_icvs *icvs = &team->parent_task->icvs;
    team->own_member.place = th->place;
    team->own_member.part_first = icvs->place_first;
    team->own_member.part_count = icvs->place_count;
    if (rt_root.display_affinity)
        rt_display_decide(th, team);
}

static inline void serialised_enter(struct rt_thread *th, struct rt_team *team)
{
    if (unlikely((rt_root.binding | rt_root.display_affinity) != 0))
        serialised_affinity(th, team);
    struct rt_task *implicit = implicit_begin(th, team, &team->own_member, 0);
    implicit->outer_implicit = th->implicit;
    enter_region(th, implicit);
}

/** ASKED: so many threads were asked for. */
static inline __attribute__((always_inline)) void serial_begin(struct rt_thread *th,
                                                               const struct rt_region *region, int asked,
                                                               struct pushed pushed, struct rt_caller caller)
{
    struct rt_task *parent = rt_load(th->cur_task);
    struct rt_team *team = serial_team_take(th);
    RT_TRACK(rt_store(parent->enter_frame, caller.frame));
    team_describe(team, parent, region, 1, caller.codeptr);
    team->nthreads_rest = pushed.list;
    team->nthreads_rest_count = pushed.list_count;
    if (unlikely(rt_root.binding))
        team->bind = rt_places_bind(&parent->icvs, region->call, region->proc_bind, team->level);
    serialised_begin(th, team);
    if (RT_WANTS(RT_ON_PARALLEL))
        rt_region_report(th, team, 0, asked);
    rt_bp_parallel_begin();
    if (unlikely(region->setup != NULL))
        region->setup(th, 1, region->argument);
    serialised_enter(th, team);
    member_prepare(th, team);
}

#endif
