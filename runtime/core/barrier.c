/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Barriers of a team. Each thread counts itself in; the one that completes the count, or the last task after
 * that, lets all go. Two threads have a way of their own, without a word that lets go.
 *
 * "All explicit tasks of the team are complete" is decided without a counter that all share: each member
 * counts, in its own line, the tasks that it deferred and the tasks that it completed. Once all threads have
 * arrived only running tasks create tasks, so sums that are equal (completed read first) stay equal. A task
 * is counted as created before its queue's lock is let go, and as completed (release) by a thread that has
 * had that lock: who acquires the second count sees the first (litmus: task_sums).
 */

#include "barrier.h"
#include "arrivals.h"
#include "cancel.h"
#include "doacross.h"
#include "loop.h"
#include "taskgroup.h"
#include "wait.h"

/** Who has left the region already may look while the next one's members are docked. */
static struct rt_task *member_task(const struct rt_member *member)
{
    return __atomic_load_n(&member->task, __ATOMIC_RELAXED);
}

int rt_team_has_tasks(struct rt_team *team)
{
    uint64_t created = 0, completed = rt_acquire(team->completed_outside);
    int n = __atomic_load_n(&team->nthreads, __ATOMIC_ACQUIRE); /* before members, which change before it */
    struct rt_member *members = __atomic_load_n(&team->members, __ATOMIC_ACQUIRE);
    for (int i = 0; i < n; i++)
        completed += __atomic_load_n(&member_task(&members[i])->tasks_completed, __ATOMIC_ACQUIRE);
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < n; i++)
        created += __atomic_load_n(&member_task(&members[i])->tasks_created, __ATOMIC_RELAXED);
    return created != completed;
}

static int all_here(struct rt_team *team, _Atomic uint32_t *arrived)
{
    return rt_acquire(*arrived) == (uint32_t)team->nthreads &&
           (!rt_load(team->tasks_used) || !rt_team_has_tasks(team));
}

struct barrier_wait {
    struct rt_team *team;
    _Atomic uint32_t *arrived;
    uint32_t gen;
};

/** In a team with an rt_way: `release` is bar_gen, or the copy of it that the caller looks at. */
struct barrier_wait_wide {
    struct barrier_wait base;
    _Atomic uint32_t *release;
};

/** A cancelled loop or sections construct ends at the barrier behind it (docs/abi/kmpc.md section 8). */
static void construct_cancel_ends(struct rt_team *team)
{
    if (unlikely(rt_load(team->cancel) != 0))
        atomic_fetch_and_explicit(&team->cancel, RT_CANCEL_PARALLEL, memory_order_relaxed);
}

/**
 * Releases all threads counted in *arrived; of several that find the barrier complete one wins. What a
 * thread did before it arrived is seen behind the barrier by all: each count is a link of the release
 * sequence that the last one's acquires, and bar_gen passes it on (litmus: barrier).
 */
static inline __attribute__((always_inline)) int complete(struct rt_team *team, _Atomic uint32_t *arrived,
                                                          uint32_t gen)
{
    uint32_t n = (uint32_t)team->nthreads;
    if (!atomic_compare_exchange_strong_explicit(arrived, &n, 0, memory_order_acq_rel, memory_order_relaxed))
        return 0;
    construct_cancel_ends(team);
    rt_store(team->meets, 2 * (uint64_t)(gen + 1));
    rt_publish(team->bar_gen, gen + 1);
    return 1;
}

static void barrier_release(struct rt_team *team, _Atomic uint32_t *arrived, uint32_t gen)
{
    if (complete(team, arrived, gen))
        rt_notify(team, RT_WAKE_RELEASE, INT32_MAX);
}

/**
 * The same where there may be copies. All are stored before this thread comes to the next barrier, which
 * cannot be complete without it: a thread that goes on by its copy alone finds that one as it should be.
 */
static RT_NOINLINE void barrier_release_wide(struct rt_team *team, _Atomic uint32_t *arrived, uint32_t gen)
{
    if (!complete(team, arrived, gen))
        return;
    rt_arrivals_release(team, gen + 1);
    rt_notify(team, RT_WAKE_RELEASE, INT32_MAX);
}

static int barrier_done(void *argument)
{
    struct barrier_wait *wait = argument;
    if (rt_acquire(wait->team->bar_gen) != wait->gen)
        return 1;
    if (rt_load(wait->team->tasks_used) && all_here(wait->team, wait->arrived))
        barrier_release(wait->team, wait->arrived, wait->gen);
    return rt_acquire(wait->team->bar_gen) != wait->gen;
}

static int barrier_done_wide(void *argument)
{
    struct barrier_wait_wide *wide = argument;
    struct barrier_wait *wait = &wide->base;
    if (rt_acquire(*wide->release) != wait->gen)
        return 1;
    if (rt_load(wait->team->tasks_used) && all_here(wait->team, wait->arrived))
        barrier_release_wide(wait->team, wait->arrived, wait->gen);
    return rt_acquire(*wide->release) != wait->gen;
}

static int no_tasks(void *argument)
{
    return !rt_team_has_tasks(argument);
}

/** In a team of one there is nobody to meet, but a detached task or what depends on it may be left. */
static void barrier_alone(struct rt_thread *th, struct rt_team *team, enum rt_state state,
                          struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    construct_cancel_ends(team);
    if (likely(!rt_load(team->tasks_used)))
        return;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    rt_enter_wait(th, state, RT_WAIT_BARRIER, team, caller.codeptr);
    rt_team_wait(th, team, RT_WAKE_RELEASE | RT_WAKE_WORK, rt_help_below(NULL), no_tasks, team);
    rt_store(team->tasks_used, 0);
    rt_set_state(th, rt_state_working(implicit));
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

/* ---- barriers that a cancellation opens --------------------------------------------------------------- */

static int cancellable_done(void *argument)
{
    struct barrier_wait_wide *wait = argument;
    return barrier_done_wide(wait) || (rt_acquire(wait->base.team->cancel) & RT_CANCEL_PARALLEL);
}

static void barrier_cancellable(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    if (rt_acquire(team->cancel) & RT_CANCEL_PARALLEL)
        return;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    uint32_t gen = rt_load(team->bar_gen);
    rt_enter_wait(th, state, RT_WAIT_BARRIER, team, caller.codeptr);
    RT_TRACK(rt_store(implicit->bar_seq, gen + 1));
    /*
     * Counted apart from the join: a thread that leaves by cancellation goes there and stays counted here,
     * until the next region clears this count.
     */
    _Atomic uint32_t *arrived = &team->arrived_cancellable, *bar_gen = &team->bar_gen;
    if (team->ways & RT_WAY_TREE)
        bar_gen = implicit->member->counter->release;
    struct barrier_wait_wide wait = {{team, arrived, gen}, bar_gen};
    if (atomic_fetch_add_explicit(arrived, 1, memory_order_acq_rel) + 1 == (uint32_t)team->nthreads &&
        !rt_load(team->tasks_used))
        barrier_release_wide(team, arrived, gen);
    else
        rt_team_wait(th, team, RT_WAKE_RELEASE | RT_WAKE_WORK, rt_help_below(NULL), cancellable_done, &wait);
    if (rt_acquire(team->bar_gen) == gen)
        RT_TRACK(rt_store(implicit->bar_seq, gen));
    rt_set_state(th, RT_STATE_WORK_PARALLEL);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

/* ---- two threads --------------------------------------------------------------------------------------- */

/*
 * The arrival of the second one is the release: both look at the word that they count in, so one line goes to
 * and fro, and nothing else (litmus: pair). bar_gen is only a record then, which the primary keeps: it stores
 * it as it leaves. Until then a debugger learns by bar_left that the other one has left.
 *
 * If tasks were deferred before the barrier, bar_gen lets the two go, for who goes on may defer more while
 * the other one still looks. And if the first task of a region is deferred behind a barrier that the other
 * one has not left yet, that one finds itself released: bar_gen is stored before tasks_used (task_slot.c;
 * litmus: pair_tasks).
 */
struct barrier_pair {
    struct rt_team *team;
    uint64_t meets; /**< when both have come */
};

static int pair_over(void *argument)
{
    const struct barrier_pair *pair = argument;
    struct rt_team *team = pair->team;
    if (rt_acquire(team->meets) < pair->meets)
        return 0;
    if (!rt_acquire(team->tasks_used))
        return 1;
    uint32_t number = (uint32_t)(pair->meets / 2), before = number - 1;
    if (rt_acquire(team->bar_gen) == before && !rt_team_has_tasks(team) &&
        atomic_compare_exchange_strong_explicit(&team->bar_gen, &before, number, memory_order_acq_rel,
                                                memory_order_relaxed))
        rt_notify(team, RT_WAKE_RELEASE, INT32_MAX);
    return rt_acquire(team->bar_gen) == number;
}

/** The other one sleeps, or is about to. */
static RT_COLD void pair_wake(struct rt_team *team, uint32_t number)
{
    rt_publish(team->bar_gen, number);
    rt_notify_slow(team, RT_WAKE_RELEASE, INT32_MAX);
}

static void barrier_pair(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    rt_enter_wait(th, state, RT_WAIT_BARRIER, team, caller.codeptr);
    RT_TRACK(rt_store(implicit->bar_seq, rt_load(implicit->bar_seq) + 1));
    uint64_t before = atomic_fetch_add_explicit(&team->meets, 1, memory_order_acq_rel);
    struct barrier_pair pair = {team, (before | 1) + 1};
    if (before % 2 != 0 && !rt_load(team->tasks_used)) {
        rt_arch_full_after_rmw();
        if (unlikely(rt_load(team->sleepers) != 0))
            pair_wake(team, (uint32_t)(pair.meets / 2));
    } else {
        struct rt_patience patience = {.ahead = 1};
        while (rt_acquire(team->meets) < pair.meets && !rt_load(team->tasks_used) &&
               !rt_patience_spent(&patience))
            ;
        if (rt_acquire(team->meets) < pair.meets || rt_load(team->tasks_used))
            rt_team_wait(th, team, RT_WAKE_RELEASE | RT_WAKE_WORK, rt_help_below(NULL), pair_over, &pair);
    }
    uint32_t number = (uint32_t)(pair.meets / 2);
    RT_TRACK(rt_store(implicit->bar_left, number));
    if (rt_load(implicit->thread_num) == 0)
        rt_publish(team->bar_gen, number);
    rt_set_state(th, RT_STATE_WORK_PARALLEL);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

/* ---- the others ---------------------------------------------------------------------------------------- */

/** `copy` is NULL, or where a thread of a tree looks; a constant NULL where there is one counter. */
static inline __attribute__((always_inline)) void wait_on(struct rt_thread *th, struct rt_team *team,
                                                          uint32_t gen, _Atomic uint32_t *copy)
{
    const int bits = RT_WAKE_RELEASE | RT_WAKE_WORK;
    struct barrier_wait_wide wait;
    wait.base = (struct barrier_wait){team, &team->arrived, gen};
    if (copy == NULL) {
        rt_team_wait(th, team, bits, rt_help_below(NULL), barrier_done, &wait.base);
    } else {
        wait.release = copy;
        rt_team_wait(th, team, bits, rt_help_below(NULL), barrier_done_wide, &wait);
    }
}

/** `tree` is a constant: the team's one counter costs nothing for the sake of several. */
static inline __attribute__((always_inline)) void barrier_meet(struct rt_thread *th, enum rt_state state,
                                                               struct rt_caller caller, int tree)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    const struct rt_arrivals *counter = tree ? implicit->member->counter : NULL;
    _Atomic uint32_t *bar_gen = tree ? counter->release : &team->bar_gen;
    _Atomic uint32_t *tasks_used = tree ? counter->tasks : &team->tasks_used;
    uint32_t gen = rt_load(*bar_gen);
    rt_enter_wait(th, state, RT_WAIT_BARRIER, team, caller.codeptr);
    RT_TRACK(rt_store(implicit->bar_seq, gen + 1));
    uint32_t ahead = 0; /* a thread of a tree learns only whether it is the last */
    int last;
    if (tree) {
        last = rt_arrivals_count(team, implicit->member->counter);
    } else {
        ahead =
            (uint32_t)team->nthreads - 1 - atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel);
        last = ahead == 0;
    }
    if (last && !rt_load(team->tasks_used)) {
        (tree ? barrier_release_wide : barrier_release)(team, &team->arrived, gen);
    } else {
        struct rt_patience patience = {.ahead = ahead};
        /* The common case first, without a call: the others come within a few hundred nanoseconds. */
        while (rt_acquire(*bar_gen) == gen && !rt_load(*tasks_used) && !rt_patience_spent(&patience))
            ;
        if (rt_acquire(*bar_gen) == gen)
            wait_on(th, team, gen, tree ? bar_gen : NULL);
    }
    rt_set_state(th, RT_STATE_WORK_PARALLEL);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

static RT_NOINLINE void barrier_other(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    if (th->implicit->team->ways & RT_WAY_CANCELLABLE)
        barrier_cancellable(th, state, caller); /* others may go to the region's end and never come here */
    else
        barrier_meet(th, state, caller, 1);
}

void rt_barrier_plain(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    /* The thread's own word first: `cancel` is in the line that a release changes. */
    if (rt_load(implicit->loop) != NULL && unlikely(rt_load(team->cancel) != 0))
        rt_loop_leave(th); /* the compiler's code has left the cancelled loop without a word */
    if (team->nthreads == 1) {
        barrier_alone(th, team, state, caller);
        return;
    }
    if (unlikely(team->ways != 0))
        barrier_other(th, state, caller);
    else if (team->nthreads == 2)
        barrier_pair(th, state, caller);
    else
        barrier_meet(th, state, caller, 0);
}

void rt_barrier_instrumented(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(th, caller);
    /*
     * clang's way out of a cancelled region leads through a barrier that nobody waits at: it is none for a
     * tool.
     */
    if (unlikely(rt_root.cancellation) && rt_acquire(th->implicit->team->cancel) & RT_CANCEL_PARALLEL) {
        rt_barrier_plain(th, state, caller);
        return;
    }
    rt_report_sync_begin(th, RT_SYNC_REGION | RT_SYNC_WAIT, state, RT_WAIT_BARRIER, th->implicit->team,
                         caller.codeptr, caller.frame);
    rt_barrier_plain(th, state, caller);
    rt_report_sync_end(th, RT_SYNC_REGION | RT_SYNC_WAIT, state, caller.codeptr, caller.frame);
}

int rt_barrier_cancellable(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    rt_barrier(th, state, caller);
    return rt_cancellation_point(th, RT_CANCEL_PARALLEL, caller);
}

/* ---- the join ------------------------------------------------------------------------------------------ */

/** Two threads count on from region to region, so that no store takes the line away before each. */
static inline int all_joined(uint32_t arrived, uint32_t n)
{
    return n == 2 ? arrived % 2 == 0 : arrived == n;
}

static inline int join_count(struct rt_team *team)
{
    return all_joined(atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1,
                      (uint32_t)team->nthreads);
}

int rt_join_complete(struct rt_team *team, uint32_t n)
{
    return all_joined(rt_acquire(team->arrived), n);
}

void rt_join_reset(struct rt_team *team, uint32_t n)
{
    if (n != 2 || unlikely(rt_load(team->arrived) % 2 != 0))
        rt_store(team->arrived, 0);
    if (unlikely(rt_load(team->arrived_cancellable) != 0))
        rt_store(team->arrived_cancellable, 0);
}

/** As rt_barriers_passed, but of two threads by the thread's own line, which the join has at hand. */
static inline uint32_t barriers_passed(const struct rt_team *team, const struct rt_task *implicit)
{
    return team->nthreads == 2 && team->ways == 0 ? rt_load(implicit->bar_seq) : rt_load(team->bar_gen);
}

static RT_NOINLINE int join_otherwise(struct rt_team *team, struct rt_task *implicit)
{
    if (implicit->private_workshares != NULL) /* of a cancelled region */
        rt_workshare_private_free(implicit);
    if (team->ways & RT_WAY_TREE)
        return rt_arrivals_count(team, implicit->member->counter);
    return join_count(team);
}

void rt_join_arrive(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit)
{
    rt_taskgroups_close(th, implicit);
    if (unlikely(rt_load(implicit->loop) != NULL))
        rt_loop_leave(th);
    if (unlikely(implicit->doacross != NULL))
        rt_doacross_end(th);
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(th, (struct rt_caller){team->codeptr, 0});
    if (RT_WANTS(RT_ON_SYNC)) {
        rt_enter_wait(th, RT_STATE_BARRIER_IMPLICIT_PARALLEL, RT_WAIT_NONE, team, 0);
        rt_report_sync_begin(th, RT_SYNC_REGION | RT_SYNC_WAIT, RT_STATE_BARRIER_IMPLICIT_PARALLEL,
                             RT_WAIT_BARRIER, team, rt_load(implicit->thread_num) == 0 ? team->codeptr : 0,
                             0); /* no call of the program led a worker here */
    }
    /*
     * Before the wait, other than at barriers that let go: who has left out one of those waits here for ever,
     * and a debugger sees that it is counted already (RT_WAITS_BEHIND_ARRIVAL).
     */
    RT_TRACK(rt_store(implicit->bar_seq, barriers_passed(team, implicit) + 1));
    rt_enter_wait(th, RT_STATE_BARRIER_IMPLICIT_PARALLEL, RT_WAIT_BARRIER, team, 0);
    int last;
    if (unlikely(team->ways != 0))
        last = join_otherwise(team, implicit);
    else
        last = join_count(team);
    if (last)
        rt_notify(team, RT_WAKE_ARRIVE, INT32_MAX);
}

/** All are at the join, and nobody looks at what the copies say of tasks: they are as in the next region. */
static int tasks_end(struct rt_team *team)
{
    if (rt_team_has_tasks(team))
        return 0;
    if (team->ways & RT_WAY_TREE)
        rt_arrivals_tasks(team, 0);
    return 1;
}

static int join_done(void *argument)
{
    struct rt_team *team = argument;
    return rt_join_complete(team, (uint32_t)team->nthreads) &&
           (!rt_load(team->tasks_used) || tasks_end(team));
}

void rt_join_wait(struct rt_thread *th, struct rt_team *team)
{
    rt_team_wait(th, team, RT_WAKE_ARRIVE | RT_WAKE_WORK, rt_help_below(NULL), join_done, team);
}
