/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions: fork, join, and the teams that stay together ("hot") between regions. Those of one thread
 * are in region_serial.c.
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
#include "region_inline.h"
#include "slab.h"
#include "slots.h"
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
        rt_region_report(th, team, 0, asked);
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
        rt_serial_end(th);
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
