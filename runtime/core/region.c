/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions: fork, join, serialised regions, and the teams that stay together ("hot") between regions.
 *
 * A member of a team that leads a region keeps the inner team with its threads docked to it, so teams are hot
 * at every depth, until others need its threads (dock.c). A region starts by one store to the team's fork
 * word, which the docked threads watch, and ends when all have arrived at the join; nobody is released there:
 * a docked thread waits for the next fork. For a debugger the region is over when its serial becomes 0: that
 * one store makes all its threads idle.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "arrivals.h"
#include "barrier.h"
#include "debug.h"
#include "depend.h"
#include "display.h"
#include "keep_errno.h"
#include "limits.h"
#include "loop.h"
#include "message.h"
#include "places.h"
#include "region.h"
#include "slab.h"
#include "slots.h"
#include "taskgroup.h"
#include "wait.h"

static void *word(uint64_t address)
{
    return (void *)(uintptr_t)address; /* user code, kept as a number for the debugger */
}

/* ---- how many threads ---------------------------------------------------------------------------------- */

/** Takes up to n - 1 threads from the contention group's limit; returns 1 + those. */
static int group_reserve(struct rt_group *group, int n)
{
    if (likely(group->limit == INT_MAX))
        return n;
    int32_t threads = rt_load(group->threads), more;
    do {
        more = group->limit - threads < n - 1 ? group->limit - threads : n - 1;
        if (more <= 0)
            return 1;
    } while (!atomic_compare_exchange_weak_explicit(&group->threads, &threads, threads + more,
                                                    memory_order_acquire, memory_order_relaxed));
    return 1 + more;
}

static void group_release(struct rt_group *group, int n)
{
    if (unlikely(group->limit != INT_MAX) && n > 1)
        atomic_fetch_sub_explicit(&group->threads, n - 1, memory_order_release);
}

/** num_threads(strict:) and fewer threads: what the compiler's code wants to be said. */
static void not_enough(uint8_t severity, const char *message, int asked, int n)
{
    char text[128];
    if (message == NULL) {
        snprintf(text, sizeof text, "num_threads(strict: %d): only %d threads are available", asked, n);
        message = text;
    }
    if (severity == 1)
        rt_warn("%s", message);
    else
        rt_end("%s", message);
}

/** What the clauses that precede a region say, for this region alone. */
struct pushed {
    int num_threads, proc_bind;
    uint8_t severity;
    const char *message;
    const int32_t *list;
    uint32_t list_count;
};

static struct pushed take_pushed(struct rt_thread *th)
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

/**
 * The team size that a region asks for (OpenMP 5.2 section 10.1.1), before limits of the contention group.
 */
static int team_size(const struct rt_task *parent, int asked)
{
    int n = asked > 0 ? asked : parent->icvs.nthreads;
    if (parent->team->active_level >= parent->icvs.max_active_levels)
        return 1;
    if (n > parent->icvs.thread_limit)
        n = parent->icvs.thread_limit;
    if (unlikely(parent->icvs.dyn) && n > (int)rt_root.procs)
        n = (int)rt_root.procs;
    return n < 1 ? 1 : n;
}

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
static struct rt_task *implicit_begin(struct rt_thread *th, struct rt_team *team, struct rt_member *member,
                                      uint32_t index)
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
static struct rt_task *member_begin(struct rt_thread *th, struct rt_team *team, int index)
{
    struct rt_member *member = &team->members[index];
    RT_TRACK(rt_store(member->task->serial, 0));
    atomic_signal_fence(memory_order_seq_cst);
    return implicit_begin(th, team, member, (uint32_t)index);
}

/** Room for n members; grows by doubling, the old array stays (a debugger or a docked thread may read it). */
static void members_reserve(struct rt_team *team, int n)
{
    if (n <= team->members_size)
        return;
    size_t size = team->members_size ? (size_t)team->members_size : 8;
    while (size < (size_t)n)
        size *= 2;
    struct rt_member *members = rt_arena_try(size * sizeof *members);
    if (members == NULL)
        rt_end("there is no memory for a team of %d threads: its table has %zu bytes", n,
               size * sizeof *members);
    if (team->members_size > 0) /* places beyond the capacity have deques of an earlier life */
        memcpy((void *)members, (const void *)team->members, (size_t)team->members_size * sizeof *members);
    /* Before nthreads: who acquires that finds an array with so many (litmus: members). */
    __atomic_store_n(&team->members, members, __ATOMIC_RELEASE);
    team->members_size = (int)size;
}

/**
 * A region is about to begin or has ended: the current region is `team`, the current task the encountering
 * one.
 */
static void region_switch(struct rt_thread *th, struct rt_team *team)
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
    rt_set_state(th, rt_state_working(implicit));
    if (RT_WANTS(RT_ON_IMPLICIT))
        rt_report_implicit(th, 0);
}

/**
 * Begin or end of a region, in its encountering task. A league is one region, whatever its number of teams.
 */
static RT_COLD void report_region(struct rt_thread *th, struct rt_team *team, int end, int asked)
{
    if (team->kind == RT_TEAM_INITIAL ||
        (team->kind == RT_TEAM_TEAMS && team->team_num != (end ? team->num_teams - 1 : 0)))
        return;
    rt_report(th,
              &(struct rt_event){.on = RT_ON_PARALLEL,
                                 .end = (uint8_t)end,
                                 .team = team,
                                 .task = team->parent_task,
                                 .count = (uint64_t)(asked > 0 ? asked : team->parent_task->icvs.nthreads)});
}

/** What each member does inside the region before its code. */
static void member_prepare(struct rt_thread *th, struct rt_team *team)
{
    if (unlikely(rt_root.binding) && team->kind == RT_TEAM_PARALLEL)
        rt_place_enter(th, th->implicit->member);
    if (unlikely(rt_root.display_affinity))
        rt_display_affinity(th);
    if (team->prepare != NULL)
        team->prepare(th, team->prepare_argument);
}

/** The encountering task goes on; the region's serial becomes 0 last. */
static void leave_region(struct rt_thread *th, struct rt_team *team, struct rt_task *parent,
                         struct rt_task *outer)
{
    struct rt_task *implicit = th->implicit;
    if (RT_WANTS(RT_ON_IMPLICIT))
        rt_report_implicit(th, 1);
    region_switch(th, team);
    th->implicit = outer;
    rt_store(th->cur_task, parent);
    if (RT_WANTS(RT_ON_PARALLEL))
        report_region(th, team, 1, 0);
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

/* ---- serialised regions -------------------------------------------------------------------------------- */

static struct rt_team *serial_team_take(struct rt_thread *th)
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

/** Regions nest, so each depth finds its own team again, with the threads that its regions have kept. */
static void serial_team_keep(struct rt_thread *th, struct rt_team *team)
{
    team->next_serial = th->serial_team;
    th->serial_team = team;
}

/**
 * Slots of a team that is over: for others now. Workers keep their tasks, and a hot team's slot its arrays.
 */
static void slots_free(struct rt_team *team, struct rt_slot **free_teams)
{
    rt_lock(&rt_root.lock);
    rt_slot_implicit_free(team->members[0].task);
    ((struct rt_slot *)team)->next = *free_teams;
    *free_teams = (struct rt_slot *)team;
    rt_unlock(&rt_root.lock);
}

/** A team of one, with a description by its caller; its serial makes it visible. */
static void serialised_begin(struct rt_thread *th, struct rt_team *team)
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

static void serialised_enter(struct rt_thread *th, struct rt_team *team)
{
    if (unlikely((rt_root.binding | rt_root.display_affinity) != 0))
        serialised_affinity(th, team);
    struct rt_task *implicit = implicit_begin(th, team, &team->own_member, 0);
    implicit->outer_implicit = th->implicit;
    enter_region(th, implicit);
}

/** Tasks that were detached, or wait for such a one, end before the region does. */
static inline void serialised_finish(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit)
{
    if (unlikely(rt_load(team->tasks_used)))
        rt_barrier_plain(th, RT_STATE_BARRIER_IMPLICIT_PARALLEL, (struct rt_caller){0, 0});
    if (unlikely(rt_load(implicit->loop) != NULL))
        rt_loop_leave(th);
}

static RT_COLD void serialised_finish_instrumented(struct rt_thread *th, struct rt_team *team,
                                                   struct rt_task *implicit)
{
    int parts = RT_WANTS(RT_ON_SYNC) && team->kind == RT_TEAM_PARALLEL ? RT_SYNC_REGION | RT_SYNC_WAIT : 0;
    RT_TRACK(
        rt_store(implicit->exit_frame, 0)); /* of a region whose code the program calls: rt_report_implicit */
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(th, (struct rt_caller){team->codeptr, 0});
    rt_report_sync_begin(th, parts, RT_STATE_BARRIER_IMPLICIT_PARALLEL, RT_WAIT_BARRIER, team, team->codeptr,
                         0);
    serialised_finish(th, team, implicit);
    rt_report_sync_end(th, parts, RT_STATE_BARRIER_IMPLICIT_PARALLEL, team->codeptr, 0);
}

static void serialised_end(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    rt_taskgroups_close(th, implicit);
    if (RT_WANTS(RT_ON_REGION))
        serialised_finish_instrumented(th, team, implicit);
    else
        serialised_finish(th, team, implicit);
    leave_region(th, team, team->parent_task, implicit->outer_implicit);
    serial_team_keep(th, team);
}

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
        report_region(th, team, 0, asked);
    rt_bp_parallel_begin();
    if (unlikely(region->setup != NULL))
        region->setup(th, 1, region->argument);
    serialised_enter(th, team);
    member_prepare(th, team);
}

void rt_serial_begin(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller)
{
    struct pushed pushed = take_pushed(th);
    serial_begin(th, region, region->num_threads > 0 ? region->num_threads : pushed.num_threads, pushed,
                 caller);
}

void rt_serial_end(struct rt_thread *th)
{
    serialised_end(th);
}

/* ---- teams of a league, target regions on the host ----------------------------------------------------- */

void rt_initial_region_begin(struct rt_thread *th, const struct rt_initial_region *region,
                             struct rt_caller caller)
{
    struct rt_task *parent = rt_load(th->cur_task);
    struct rt_team *team = serial_team_take(th);
    const struct rt_region plain = {.loc = region->loc, .fn = region->fn};
    RT_TRACK(rt_store(parent->enter_frame, caller.frame));
    team_describe(team, parent, &plain, 1, caller.codeptr);
    int teams = region->kind == RT_TEAM_TEAMS;
    team->kind = region->kind;
    team->level = team->active_level = 0;
    team->nthreads_rest_count = 0;
    team->num_teams = teams ? region->num_teams : 1;
    team->team_num = teams ? region->team_num : 0;
    team->own_group.limit = region->thread_limit > 0 ? region->thread_limit
                            : teams                  ? parent->icvs.thread_limit
                                                     : rt_root.icvs.thread_limit;
    rt_store(team->own_group.threads, 1);
    team->group = &team->own_group;
    serialised_begin(th, team);
    if (RT_WANTS(RT_ON_PARALLEL))
        report_region(th, team, 0, team->num_teams);
    if (teams)
        rt_bp_teams_begin();
    else
        rt_bp_target_begin();
    serialised_enter(th, team);
}

void rt_initial_region_end(struct rt_thread *th)
{
    serialised_end(th);
}

/* ---- real regions -------------------------------------------------------------------------------------- */

/** gcc's outlined function. Its own frame, so that exit_frame names one that called user code. */
static RT_NOINLINE void call_gomp(void *fn, void *data, _Atomic uint64_t *exit_frame)
{
    rt_store(*exit_frame, (uint64_t)(uintptr_t)__builtin_frame_address(0));
    ((void (*)(void *))fn)(data);
    __asm__ volatile("" ::: "memory"); /* no tail call: the frame stays */
}

static void region_run(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit, int index)
{
    if (team->call == RT_CALL_GOMP) {
        call_gomp(word(team->fn), team->argv, &implicit->exit_frame);
    } else {
        int32_t gtid = th->gtid, btid = index;
        rt_invoke(word(team->fn), &gtid, &btid, team->argc, team->argv, &implicit->exit_frame);
    }
    RT_TRACK(rt_store(implicit->exit_frame, 0));
}

/**
 * A team is to have n threads for the first time. More than there can ever be are refused before one is
 * created; as many as there are processors may always be asked for. `strict`: the clause has its own answer
 * to a smaller team.
 */
static RT_COLD int possible_size(int n, int strict)
{
    if (n <= (int)rt_root.procs)
        return n;
    struct rt_limit limit = rt_limits_read("");
    if (n <= limit.threads)
        return n;
    if (!strict)
        rt_end("a team of %d threads was asked for; this process can have %ld at most (%s)", n, limit.threads,
               limit.what);
    return (int)rt_root.procs;
}

static struct rt_team *team_create(struct rt_thread *th)
{
    rt_lock(&rt_root.lock);
    struct rt_team *team = rt_slot_hot_team();
    struct rt_task *task = rt_slot_implicit();
    rt_unlock(&rt_root.lock);
    members_reserve(team, 1);
    team->members[0].task = task;
    team->members[0].thread = th;
    team->members[0].hot = NULL;
    task->member = &team->members[0];
    rt_store(team->capacity, 1);
    rt_workshare_ring(team);
    return team;
}

/** A new team, or one that is nested or was not as wide: it gets up to n threads. */
static RT_NOINLINE struct rt_team *team_resized(struct rt_thread *th, struct rt_team *team, int n, int strict)
{
    RT_KEEP_ERRNO; /* threads are created, and the limits of the system read */
    if (team == NULL)
        team = th->implicit->member->hot = team_create(th);
    if (n > team->size_checked)
        team->size_checked = n = possible_size(n, strict);
    members_reserve(team, n);
    rt_dock(th, team, n);
    rt_arrivals_fit(team, rt_load(team->capacity), 0);
    if (rt_load(team->capacity) == 1) /* its region is none that counts */
        rt_dock_count(team, 0);
    return team;
}

/**
 * Lets the team's other N - 1 threads begin; those that sleep are woken. What the region is was stored
 * before: who acquires the fork word sees it (litmus: fork).
 */
static inline void members_release(struct rt_team *team, int n)
{
    uint64_t fork = (rt_load(team->fork) & ~0xffffffffULL) + (1ULL << 32);
    rt_publish(team->fork, fork | (uint32_t)n);
    atomic_thread_fence(memory_order_seq_cst);
    if (unlikely(rt_load(team->sleepers) != 0))
        rt_dock_call(team);
}

/** In a region around this one the thread is counted already. */
static inline void members_busy(struct rt_team *team, const struct rt_task *parent, int n)
{
    int busy = n - (parent->team->active_level > 0);
    if (unlikely(rt_load(team->busy) != busy))
        rt_dock_count(team, busy);
}

int rt_fork_begin(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller)
{
    struct rt_task *parent = rt_load(th->cur_task);
    struct rt_group *group = parent->team->group;
    struct pushed pushed = {0};
    if (unlikely(th->has_push))
        pushed = take_pushed(th);
    int asked = region->num_threads > 0 ? region->num_threads : pushed.num_threads, wanted, n;
    struct rt_team *team = NULL;
    wanted = n = team_size(parent, asked);
    if (n > 1)
        wanted = n = group_reserve(group, n);
    if (n > 1) {
        team = th->implicit->member->hot;
        if (unlikely(team == NULL || rt_load(team->capacity) != n)) {
            team = team_resized(th, team, n, pushed.severity != 0);
            n = rt_load(team->capacity);
            group_release(group, wanted - n + 1);
        }
    }
    if (unlikely(pushed.severity != 0) && n < pushed.num_threads)
        not_enough(pushed.severity, pushed.message, pushed.num_threads, n);
    if (n == 1) {
        serial_begin(th, region, asked, pushed, caller);
        return 1;
    }
    members_busy(team, parent, n);
    RT_TRACK(rt_store(parent->enter_frame, caller.frame));
    team_describe(team, parent, region, n, caller.codeptr);
    STORE_NEW(n, team->nthreads_rest, pushed.list);
    STORE_NEW(n, team->nthreads_rest_count, pushed.list_count);
    STORE_NEW(n, team->workshare_seq, team->members[0].task->workshare_seq);
    STORE_NEW(n, team->single_seq, team->members[0].task->single_seq);
    rt_join_reset(team, (uint32_t)n);
    if (unlikely(team->ring_threads < n))
        rt_loop_ranges(team);
    if (unlikely(region->setup != NULL))
        region->setup(th, n, region->argument);
    if (unlikely(rt_root.binding)) {
        STORE_NEW(n, team->bind, rt_places_bind(&parent->icvs, region->call, region->proc_bind, team->level));
        int proc_bind = region->proc_bind != 0 ? region->proc_bind : pushed.proc_bind;
        if (rt_places_assign(th, team, n, proc_bind))
            rt_arrivals_fit(team, n, 1);
    }
    if (unlikely(rt_root.display_affinity))
        rt_display_decide(th, team);
    RT_TRACK(team->first_task = rt_task_serial_range(th, (uint32_t)n));
    rt_publish(team->serial, rt_team_serial(th));
    region_switch(th, team);
    if (RT_WANTS(RT_ON_PARALLEL))
        report_region(th, team, 0, asked);
    rt_bp_parallel_begin();
    members_release(team, n);

    struct rt_task *outer = th->implicit, *implicit = member_begin(th, team, 0);
    implicit->outer_implicit = outer;
    enter_region(th, implicit);
    member_prepare(th, team);
    return n;
}

/** The join is over. Members wait for that only if a tool wants the event; now they report their ends. */
static RT_COLD void join_release(struct rt_thread *th, struct rt_team *team)
{
    atomic_store_explicit(&team->join_over, rt_load(team->fork), memory_order_seq_cst);
    rt_notify(team, RT_WAKE_RELEASE, INT32_MAX);
    if (RT_WANTS(RT_ON_SYNC))
        rt_report_sync_end(th, RT_SYNC_REGION | RT_SYNC_WAIT, RT_STATE_BARRIER_IMPLICIT_PARALLEL,
                           team->codeptr, 0);
}

void rt_fork_end(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    if (team->nthreads == 1) {
        serialised_end(th);
        return;
    }
    rt_join_arrive(th, team, implicit);
    rt_join_wait(th, team);
    if (RT_WANTS(RT_ON_REGION))
        join_release(th, team);
    if (unlikely(rt_load(team->tasks_used)))
        rt_store(team->tasks_used, 0);
    if (unlikely(rt_load(team->cancel) & RT_CANCEL_PARALLEL))
        rt_workshare_reset(team); /* the members have left it at different places */
    struct rt_task *parent = team->parent_task;
    leave_region(th, team, parent, implicit->outer_implicit);
    if (unlikely(team->level > 1))
        rt_dock_idle(team);
    else if (unlikely(rt_load(rt_root.roots) > 1))
        rt_dock_count(team, 0);
    group_release(parent->team->group,
                  team->nthreads); /* last: a region that takes these places finds the workers */
}

int rt_fork(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller)
{
    int n = rt_fork_begin(th, region, caller);
    struct rt_task *implicit = th->implicit;
    region_run(th, implicit->team, implicit, 0);
    rt_fork_end(th);
    return n;
}

struct serve_wait {
    struct rt_team *team;
    uint64_t fork;
    /**
     * Whether this thread has arrived at the join of that region; else its arrivals are none of its business.
     */
    enum { NOT_IN_IT, JOINED, JOINED_AND_NOTIFIED } joined;
};

/**
 * The next region has begun. Who sees meanwhile that the last task of this one is complete says so, once: the
 * primary may sleep, and looks again itself.
 */
static int serve_ready(void *argument)
{
    struct serve_wait *wait = argument;
    struct rt_team *team = wait->team;
    if (rt_acquire(team->fork) != wait->fork)
        return 1;
    if (wait->joined == JOINED && rt_load(team->tasks_used) && rt_join_complete(team, (uint32_t)wait->fork) &&
        !rt_team_has_tasks(team)) {
        wait->joined = JOINED_AND_NOTIFIED;
        rt_notify(team, RT_WAKE_ARRIVE, INT32_MAX);
    }
    return rt_acquire(team->fork) != wait->fork;
}

static int join_is_over(void *argument)
{
    const struct serve_wait *wait = argument;
    return rt_acquire(wait->team->join_over) == wait->fork || serve_ready(argument);
}

/** Reports the end of a member's implicit task, which is when the region's last barrier is over. */
static RT_COLD void leave_instrumented(struct rt_thread *th, struct rt_team *team, struct serve_wait *wait)
{
    rt_team_wait(th, team, RT_WAKE_FORK | RT_WAKE_WORK | RT_WAKE_RELEASE, rt_help_below(NULL), join_is_over,
                 wait);
    /* The team may be the next region's by now; what is this one's is in the implicit task. */
    rt_report_sync_end(th, RT_SYNC_REGION | RT_SYNC_WAIT, RT_STATE_BARRIER_IMPLICIT_PARALLEL, 0, 0);
    rt_report_implicit(th, 1);
    if (RT_WANTS(RT_ON_IDLE))
        rt_report_idle(th, 0);
}

/** The thread is in its new region already when its idling ends, so that a tool can ask which. */
static RT_COLD void idle_ends(struct rt_thread *th, struct rt_task *implicit)
{
    rt_store(th->cur_task, implicit);
    rt_report_idle(th, 1);
}

void rt_team_serve(struct rt_thread *th, struct rt_docking docking)
{
    struct rt_team *team = docking.team;
    struct serve_wait wait = {team, docking.fork, NOT_IN_IT};
    atomic_fetch_add_explicit(&team->workers_inside, 1, memory_order_relaxed);
    for (;;) {
        rt_team_wait(
            th, team, RT_WAKE_FORK | (wait.joined ? RT_WAKE_WORK : 0),
            (struct rt_help){.on = wait.joined != NOT_IN_IT, .ancestor = NULL, .steal = RT_STEAL_ANY},
            serve_ready, &wait);
        wait.fork = rt_acquire(team->fork);
        if (unlikely(rt_load(th->dock_turn) != docking.turn))
            break;
        if (docking.index >= (int)(uint32_t)wait.fork) { /* others were undocked */
            wait.joined = NOT_IN_IT;
            continue;
        }
        rt_set_state(th, RT_STATE_OVERHEAD);
        struct rt_task *implicit = member_begin(th, team, docking.index);
        implicit->outer_implicit = NULL;
        if (unlikely(th->reported_idle))
            idle_ends(th, implicit);
        enter_region(th, implicit);
        member_prepare(th, team);
        region_run(th, team, implicit, docking.index);
        rt_join_arrive(th, team, implicit);
        wait.joined = JOINED;
        if (RT_WANTS(RT_ON_REGION))
            leave_instrumented(th, team, &wait);
    }
    th->implicit = NULL;
    rt_store(th->cur_task, NULL);
    RT_TRACK(rt_store(th->own_task->serial, 0));
    if (th->own_task->deps != NULL)
        rt_deps_forget(th, th->own_task);
    atomic_fetch_sub_explicit(&team->workers_inside, 1, memory_order_release);
}

void rt_team_disband(struct rt_team *team)
{
    for (int i = 0; i < team->members_size; i++) {
        if (team->members[i].hot != NULL)
            rt_team_disband(team->members[i].hot);
        team->members[i].hot = NULL;
    }
    rt_dock_disband(team);
    slots_free(team, &rt_root.free_hot_teams);
}

/* ---- the initial task of a thread of the program ------------------------------------------------------- */

void rt_initial_begin(struct rt_thread *th)
{
    rt_lock(&rt_root.lock);
    struct rt_team *team = rt_slot_team();
    struct rt_task *task = rt_slot_implicit();
    rt_unlock(&rt_root.lock);
    team->kind = RT_TEAM_INITIAL;
    team->nthreads = 1;
    team->capacity = team->members_size = 1;
    team->own_member = (struct rt_member){.task = task, .thread = th, .place = -1};
    team->members = &team->own_member;
    team->num_teams = 1;
    team->own_group.limit = rt_root.icvs.thread_limit;
    rt_store(team->own_group.threads, 1);
    team->group = &team->own_group;
    uint64_t serial = rt_task_serial(th);
    team->first_task = serial;
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
    rt_store(task->stamp, serial);
    rt_publish(task->serial, serial);
    enter_region(th, task);
    rt_set_state(th, RT_STATE_WORK_SERIAL);
}

/** Threads that the regions of a thread of the program have kept go back to the pool. */
void rt_initial_disband(struct rt_thread *th)
{
    struct rt_member *member = th->implicit->member;
    if (member->hot != NULL)
        rt_team_disband(member->hot);
    member->hot = NULL;
    for (struct rt_team *team = th->serial_team; team != NULL; team = team->next_serial) {
        if (team->own_member.hot != NULL)
            rt_team_disband(team->own_member.hot);
        team->own_member.hot = NULL;
    }
}

void rt_serial_teams_end(struct rt_thread *th)
{
    struct rt_team *team;
    while ((team = th->serial_team) != NULL) {
        th->serial_team = team->next_serial;
        if (team->own_member.hot != NULL)
            rt_team_disband(team->own_member.hot);
        team->own_member.hot = NULL;
        if (team->own_member.task->deps != NULL)
            rt_deps_forget(th, team->own_member.task);
        slots_free(team, &rt_root.free_teams);
    }
}

void rt_initial_end(struct rt_thread *th)
{
    struct rt_task *task = th->implicit;
    while (task->outer_implicit !=
           NULL) /* the thread ends inside a region, which the specification forbids */
        task = task->outer_implicit;
    struct rt_team *team = task->team;
    th->implicit = task;
    rt_initial_disband(th);
    if (task->deps != NULL)
        rt_deps_forget(th, task);
    if (RT_WANTS(RT_ON_IMPLICIT))
        rt_report_implicit(th, 1);
    rt_store(th->cur_task, NULL);
    rt_publish(team->serial, 0);
    slots_free(team, &rt_root.free_teams);
    rt_serial_teams_end(th);
}
