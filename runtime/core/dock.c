/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Docking: which hot team a worker belongs to, and the pool of those that belong to none.
 *
 * Between regions a hot team has exactly the members of its last one, so no thread watches it that has no
 * part in the next: its leader takes workers from the pool before a wider region and gives them back before a
 * narrower one. While a nested team is in no region, a thread that finds the pool empty takes its workers
 * before it creates new ones; so there are never more threads than were in regions at one time, and a thread
 * limit holds for those that exist. `capacity` is the claim: the leader sets RT_TEAM_IDLE at the end of a
 * region, and clears it without a lock if it needs as many threads again; a thread that takes the workers
 * does so under the root's lock.
 *
 * An undocked worker need not know it yet. It is in the pool at once and may be docked elsewhere; when it
 * sees that the old team's fork word has changed it looks at its turn and goes. Its implicit task goes with
 * it, so the slot that its cur_task leads to is never another thread's. The tasks that it has counted, made
 * up for in completed_outside, do not.
 *
 * Busy is who is in a region: a server has more threads than there are processors, and most of them sleep.
 * While the program has one thread only, its outermost team stays counted between two regions, which saves
 * them the counting: nobody else is there who asks. A second one puts that right once, as far as it can see;
 * if it comes at the moment at which a region begins or ends, then the next region does.
 */
#define _GNU_SOURCE
#include <sched.h>

#include "arch.h"
#include "dock.h"
#include "futex.h"
#include "life.h"
#include "limits.h"
#include "notify.h"
#include "slots.h"
#include "state.h"

static int members_of(const struct rt_team *team)
{
    return rt_load(team->capacity) & INT32_MAX;
}

/** Tasks that the member has counted as created, less those that it has counted as completed. */
static uint64_t balance(const struct rt_task *task)
{
    return __atomic_load_n(&task->tasks_created, __ATOMIC_RELAXED) -
           __atomic_load_n(&task->tasks_completed, __ATOMIC_RELAXED);
}

/* ---- who is busy --------------------------------------------------------------------------------------- */

void rt_dock_count(struct rt_team *team, int threads)
{
    int before = atomic_exchange_explicit(&team->busy, threads, memory_order_relaxed);
    if (before != threads)
        atomic_fetch_add_explicit(&rt_root.busy, threads - before, memory_order_relaxed);
}

void rt_dock_root_comes(void)
{
    if (atomic_fetch_add_explicit(&rt_root.roots, 1, memory_order_seq_cst) != 1)
        return;
    rt_lock(&rt_root.lock);
    for (struct rt_team *team = rt_root.hot_teams; team != NULL; team = team->next_hot)
        if (rt_load(team->serial) == 0)
            rt_dock_count(team, 0);
    rt_unlock(&rt_root.lock);
}

/* ---- under the root's lock ----------------------------------------------------------------------------- */

/** The worker looks at its dock. If it sleeps, rt_dock_call or its next team wakes it. */
static void dock_summon(struct rt_thread *worker)
{
    if (atomic_exchange_explicit(&worker->dock_word, RT_DOCK_SET, memory_order_acq_rel) == RT_DOCK_ASLEEP)
        worker->dock_unwoken = 1;
}

static void dock_wake(struct rt_thread *worker)
{
    if (worker->dock_unwoken) {
        worker->dock_unwoken = 0;
        rt_futex_wake(&worker->dock_word, 1);
    }
}

static void dock_assign(struct rt_thread *worker, struct rt_team *team, int index, uint64_t fork)
{
    /* Who sees what follows sees the even turn before it, too: see rt_dock_wait (litmus: dock_turn). */
    atomic_thread_fence(memory_order_release);
    rt_store(worker->dock, team);
    rt_store(worker->dock_index, index);
    rt_store(worker->dock_fork, fork);
    rt_publish(worker->dock_turn, rt_load(worker->dock_turn) + 1);
    dock_summon(worker);
}

static void dock_worker(struct rt_team *team, struct rt_thread *worker)
{
    int index = members_of(team);
    struct rt_member *member = &team->members[index];
    if (worker->own_task == NULL)
        worker->own_task = rt_slot_implicit();
    struct rt_task *task = worker->own_task;
    __atomic_store_n(&member->task, task, __ATOMIC_RELAXED);
    member->thread = worker;
    __atomic_store_n(&task->member, member, __ATOMIC_RELAXED);
    atomic_fetch_add_explicit(&team->completed_outside, balance(task), memory_order_relaxed);
    dock_assign(worker, team, index, rt_load(team->fork));
    if (worker->dock_unwoken && !team->newcomers) {
        team->newcomers = 1;
        atomic_fetch_add_explicit(&team->sleepers, 1, memory_order_relaxed);
    }
    rt_store(team->capacity, index + 1);
}

/** rt_dock_call has no newcomers to wake any more. */
static void newcomers_end(struct rt_team *team)
{
    if (!team->newcomers)
        return;
    team->newcomers = 0;
    atomic_fetch_sub_explicit(&team->sleepers, 1, memory_order_relaxed);
}

/** Of n members the workers behind the first `keep` go to the pool, the first of them on top. */
static void undock_workers(struct rt_team *team, int n, int keep)
{
    rt_store(team->capacity, keep);
    if (n <= keep)
        return;
    for (int i = n - 1; i >= keep; i--) {
        struct rt_thread *worker = team->members[i].thread;
        atomic_fetch_sub_explicit(&team->completed_outside, balance(team->members[i].task),
                                  memory_order_relaxed);
        rt_store(worker->dock_turn, rt_load(worker->dock_turn) + 1);
        worker->next_pooled = rt_root.pool;
        rt_root.pool = worker;
    }
    newcomers_end(team);
    rt_publish(team->fork, (rt_load(team->fork) & ~0xffffffffULL) + (1ULL << 32));
    rt_notify(team, RT_WAKE_FORK, INT32_MAX);
}

static struct rt_thread *pool_take(void)
{
    struct rt_thread *worker = rt_root.pool;
    if (worker != NULL)
        rt_root.pool = worker->next_pooled;
    return worker;
}

static void dock_pooled(struct rt_team *team, int n)
{
    struct rt_thread *worker;
    while (members_of(team) < n && (worker = pool_take()) != NULL)
        dock_worker(team, worker);
}

/** Of teams that wait for the next region of whichever leader; returns how many workers it has found. */
static int reclaim_nested(int missing)
{
    int found = 0;
    for (struct rt_team *team = rt_root.hot_teams; team != NULL && found < missing; team = team->next_hot) {
        int32_t capacity = rt_load(team->capacity);
        int n = capacity & INT32_MAX;
        if (n > 1 && capacity != n &&
            atomic_compare_exchange_strong_explicit(&team->capacity, &capacity, 1, memory_order_acq_rel,
                                                    memory_order_relaxed)) {
            undock_workers(team, n, 1);
            found += n - 1;
        }
    }
    return found;
}

static int reclaim_team(struct rt_team *team)
{
    int n = team != NULL ? members_of(team) : 0;
    if (n <= 1)
        return 0;
    undock_workers(team, n, 1);
    rt_dock_count(team, 0);
    return n - 1;
}

/**
 * Of the caller's own teams that it is not in. Those of regions around it are the last: what they keep in
 * threadprivate variables may go only because the region that it is in is parallel or of a league, not a
 * target region.
 */
static int reclaim_own(const struct rt_thread *th, int missing)
{
    int found = 0;
    for (struct rt_team *team = th->serial_team; team != NULL && found < missing; team = team->next_serial)
        found += reclaim_team(team->own_member.hot);
    const struct rt_task *inner = th->implicit;
    for (; inner->outer_implicit != NULL && found < missing; inner = inner->outer_implicit) {
        struct rt_team *hot = inner->outer_implicit->member->hot;
        if (hot != inner->team && inner->team->kind != RT_TEAM_INITIAL)
            found += reclaim_team(hot);
    }
    return found;
}

/** The members know their places, also when members[] has moved. */
static void places_set(struct rt_team *team)
{
    for (int i = 0; i < members_of(team); i++)
        if (team->members[i].task->member != &team->members[i])
            __atomic_store_n(&team->members[i].task->member, &team->members[i], __ATOMIC_RELAXED);
}

/* ---- what region.c and attach.c call ------------------------------------------------------------------- */

/**
 * Whether each of the new workers may have a processor for itself. Then they begin off their creator's: a
 * waiter that gives its slice away or sleeps shows the kernel nothing that it would balance, and a team of
 * two stayed on one processor for 17 ms. Places say more, if threads are bound.
 */
static int has_room(int more)
{
    int busy = rt_load(rt_root.busy);
    return !rt_root.binding && (busy > 0 ? busy : 1) + more <= (int)rt_root.procs;
}

/** Docks some of the missing workers, newly created; returns 0 when the system has no more. */
static int dock_new(struct rt_team *team, int n)
{
    struct rt_thread *workers[64];
    int missing = n - members_of(team), made = 0;
    int want = missing < 64 ? missing : 64;
    if (!rt_headroom_keep(want))
        return 0;
    int keep_off = has_room(missing) ? sched_getcpu() : -1;
    while (made < want && (workers[made] = rt_worker_create(keep_off)) != NULL)
        made++;
    rt_lock(&rt_root.lock);
    for (int i = 0; i < made; i++)
        dock_worker(team, workers[i]);
    rt_unlock(&rt_root.lock);
    return made == want;
}

static void resize(struct rt_thread *th, struct rt_team *team, int n)
{
    rt_lock(&rt_root.lock);
    rt_store(team->capacity, members_of(team)); /* the leader's: workers are taken under the lock */
    places_set(team);
    if (members_of(team) > n) {
        undock_workers(team, members_of(team), n);
    } else {
        dock_pooled(team, n);
        int missing = n - members_of(team);
        if (missing > 0) {
            missing -= reclaim_nested(missing);
            if (missing > 0)
                reclaim_own(th, missing);
            dock_pooled(team, n);
        }
    }
    rt_unlock(&rt_root.lock);
    if (members_of(team) >= n)
        return;
    while (members_of(team) < n && dock_new(team, n))
        ;
    rt_headroom_free();
}

void rt_dock(struct rt_thread *th, struct rt_team *team, int n)
{
    int32_t idle = n | RT_TEAM_IDLE;
    if (!atomic_compare_exchange_strong_explicit(&team->capacity, &idle, n, memory_order_acquire,
                                                 memory_order_relaxed))
        resize(th, team, n);
    if (team->members[0].thread != th) /* the place has another worker now */
        team->members[0].thread = th;
}

void rt_dock_idle(struct rt_team *team)
{
    rt_dock_count(team, 0);
    rt_publish(team->capacity, rt_load(team->capacity) | RT_TEAM_IDLE);
}

void rt_dock_disband(struct rt_team *team)
{
    rt_lock(&rt_root.lock);
    undock_workers(team, members_of(team), 1);
    rt_store(team->capacity, 0);
    rt_dock_count(team, 0);
    rt_unlock(&rt_root.lock);
    for (uint32_t round = 1; rt_acquire(team->workers_inside) != 0; round++) {
        rt_pause();
        if (round % 64 == 0)
            sched_yield();
    }
}

void rt_dock_call(struct rt_team *team)
{
    if (unlikely(team->newcomers)) {
        newcomers_end(team);
        for (int i = 1; i < team->nthreads; i++)
            dock_wake(team->members[i].thread);
    }
    if (rt_load(team->sleepers) != 0)
        rt_notify_slow(team, RT_WAKE_FORK, INT32_MAX);
}

static int is_crowded(void)
{
    return rt_root.spin != UINT32_MAX && rt_load(rt_root.threads) > rt_root.procs;
}

struct rt_docking rt_dock_wait(struct rt_thread *th)
{
    for (;;) {
        struct rt_patience patience = {0};
        uint32_t word;
        while ((word = rt_acquire(th->dock_word)) != RT_DOCK_SET) {
            rt_set_state(th, RT_STATE_IDLE);
            /*
             * Nobody waits for it: where there are more threads than processors it would only be in the way.
             */
            if ((is_crowded() || rt_patience_spent(&patience)) &&
                (word == RT_DOCK_ASLEEP ||
                 atomic_compare_exchange_strong_explicit(&th->dock_word, &word, RT_DOCK_ASLEEP,
                                                         memory_order_acq_rel, memory_order_relaxed)))
                rt_futex_wait(&th->dock_word, RT_DOCK_ASLEEP);
        }
        atomic_exchange_explicit(&th->dock_word, RT_DOCK_EMPTY, memory_order_acq_rel);
        /*
         * It may be undocked and docked again meanwhile: an odd turn that stays the same says that all this
         * is of one docking, and then a later one sets the word again.
         */
        struct rt_docking docking = {.turn = rt_acquire(th->dock_turn)};
        docking.team = rt_load(th->dock);
        docking.index = rt_load(th->dock_index);
        docking.fork = rt_load(th->dock_fork);
        atomic_thread_fence(memory_order_acquire);
        if (docking.turn % 2 == 1 && rt_load(th->dock_turn) == docking.turn)
            return docking;
    }
}

int rt_dock_dismiss(void)
{
    rt_lock(&rt_root.lock);
    struct rt_thread *worker = pool_take();
    if (worker != NULL) {
        rt_root.dismissed++;
        dock_assign(worker, NULL, 0, 0);
        dock_wake(worker);
    }
    rt_unlock(&rt_root.lock);
    return worker != NULL;
}

void rt_dock_after_fork(void)
{
    rt_root.pool = NULL;
    for (struct rt_team *team = rt_root.hot_teams; team != NULL; team = team->next_hot) {
        rt_store(team->capacity, 0);
        rt_store(team->sleepers, 0);
        rt_store(team->work_wakeup, 0);
        rt_store(team->workers_inside, 0);
        rt_store(team->meets, 2 * (uint64_t)rt_load(team->bar_gen)); /* one may have been at a barrier */
        team->newcomers = 0;
        rt_store(team->busy, 0);
    }
}
