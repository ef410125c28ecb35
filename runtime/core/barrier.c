/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Barriers of a team. Each thread counts itself in; who completes the count, or the last task after that, lets all go.
 *
 * "All explicit tasks of the team are complete" is decided without a counter that all share: each member counts, in
 * its own line, the tasks that it deferred and the tasks that it completed. Once all threads have arrived only running
 * tasks create tasks, so sums that are equal (completed read first) stay equal.
 */
#include "rt.h"

int rt_team_has_tasks(struct rt_team *team)
{
    uint64_t created = 0, completed = 0;
    struct rt_member *members = team->members;
    int n = team->capacity;
    for (int i = 0; i < n; i++)
        completed += __atomic_load_n(&members[i].task->tasks_completed, __ATOMIC_ACQUIRE);
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < n; i++)
        created += __atomic_load_n(&members[i].task->tasks_created, __ATOMIC_RELAXED);
    return created != completed;
}

static int all_here(struct rt_team *team)
{
    return rt_acquire(team->arrived) == (uint32_t)team->nthreads &&
           (!rt_load(team->tasks_used) || !rt_team_has_tasks(team));
}

struct barrier_wait {
    struct rt_team *team;
    uint32_t gen;
};

/** Lets everybody go; of several that find the barrier complete one wins. */
static void release(struct rt_team *team, uint32_t gen)
{
    uint32_t n = (uint32_t)team->nthreads;
    if (!atomic_compare_exchange_strong_explicit(&team->arrived, &n, 0, memory_order_acq_rel,
                                                 memory_order_relaxed))
        return;
    rt_publish(team->bar_gen, gen + 1);
    rt_notify(team, RT_EV_RELEASE, INT32_MAX);
}

static int barrier_done(void *argument)
{
    struct barrier_wait *wait = argument;
    if (rt_acquire(wait->team->bar_gen) != wait->gen)
        return 1;
    if (rt_load(wait->team->tasks_used) && all_here(wait->team))
        release(wait->team, wait->gen);
    return rt_acquire(wait->team->bar_gen) != wait->gen;
}

void rt_barrier(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    if (team->nthreads == 1)
        return;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    uint32_t gen = rt_load(team->bar_gen);
    rt_enter_wait(th, state, RT_WAIT_BARRIER, team, caller.codeptr);
    RT_TRACK(rt_store(implicit->bar_seq, gen + 1));
    uint32_t arrived = atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1;
    if (arrived == (uint32_t)team->nthreads && !rt_load(team->tasks_used)) {
        release(team, gen);
    } else {
        struct barrier_wait wait = {team, gen};
        struct rt_patience patience = {0, 0};
        /* The common case first, without a call: the others come within a few hundred nanoseconds. */
        while (rt_acquire(team->bar_gen) == gen && !rt_load(team->tasks_used) &&
               !rt_patience_spent(&patience))
            ;
        if (rt_acquire(team->bar_gen) == gen)
            rt_team_wait(th, team, RT_EV_RELEASE | RT_EV_WORK, (struct rt_help){1, NULL}, barrier_done,
                         &wait);
    }
    rt_set_state(th, RT_WORK_PARALLEL);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

void rt_join_arrive(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit)
{
    rt_enter_wait(th, RT_WAIT_BARRIER_IMPLICIT_PARALLEL, RT_WAIT_BARRIER, team, 0);
    RT_TRACK(rt_store(implicit->bar_seq, rt_load(team->bar_gen) + 1));
    (void)implicit;
    uint32_t n = (uint32_t)team->nthreads;
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 == n)
        rt_notify(team, RT_EV_ARRIVE, INT32_MAX);
}

static int join_done(void *argument)
{
    struct rt_team *team = argument;
    return (rt_acquire(team->arrived) & RT_JOINED) || all_here(team);
}

void rt_join_wait(struct rt_thread *th, struct rt_team *team)
{
    rt_team_wait(th, team, RT_EV_ARRIVE | RT_EV_WORK, (struct rt_help){1, NULL}, join_done, team);
}
