/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * single copyprivate: how the values come from the thread that ran the block to the others.
 *
 * A team has one place for them, and counts the members that have yet to find it filled. All of them have
 * before they arrive at the barrier in between, so both are free again when the next such construct comes.
 * Where regions can be cancelled there may be no such barrier: a cancellation lets all pass it, and its
 * number does not change. An entry of the worksharing ring carries the values of gcc's code then, and two
 * barriers those of clang's.
 */

#include "copyprivate.h"
#include "barrier.h"
#include "event.h"
#include "state.h"
#include "wait.h"

void rt_copyprivate_give(struct rt_thread *th, struct rt_workshare *work, void *data)
{
    struct rt_team *team = th->implicit->team;
    if (work != NULL) {
        work->data = data;
        rt_workshare_ready(work);
    } else {
        rt_store(team->copy_from, data);
        /* With the values, and with what else the block did (litmus: copyprivate). */
        rt_publish(team->to_copy, (uint32_t)team->nthreads - 1);
    }
    rt_notify(team, RT_WAKE_RELEASE, INT32_MAX);
}

struct copy_wait {
    struct rt_team *team;
    struct rt_workshare *work;
};

static int is_given(void *argument)
{
    const struct copy_wait *wait = argument;
    return wait->work != NULL ? rt_workshare_is_ready(wait->work) : rt_acquire(wait->team->to_copy) != 0;
}

void *rt_copyprivate_wait(struct rt_thread *th, struct rt_workshare *work, struct rt_caller caller, int told)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    struct copy_wait wait = {team, work};
    uint32_t passed = rt_barriers_passed(team);
    (void)caller, (void)passed;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, RT_WAIT_BARRIER, team, caller.codeptr);
    RT_TRACK(rt_store(implicit->bar_seq, passed + 1));
    if (!told)
        RT_EVENT(th, RT_ON_OTHER_WAIT, .what = RT_WAIT_BARRIER);
    rt_team_wait(th, team, RT_WAKE_RELEASE | RT_WAKE_WORK, rt_help_below(NULL), is_given, &wait);
    if (!told)
        RT_EVENT(th, RT_ON_OTHER_WAIT, .end = 1, .what = RT_WAIT_BARRIER);
    RT_TRACK(rt_store(implicit->bar_seq, passed));
    rt_set_state(th, RT_STATE_WORK_PARALLEL);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
    if (work != NULL)
        return work->data;
    void *data = rt_load(team->copy_from);
    atomic_fetch_sub_explicit(&team->to_copy, 1, memory_order_relaxed); /* the barrier passes it on */
    return data;
}
