/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Waiting inside a team, running its tasks meanwhile.
 */

#include "arch.h"
#include "execute.h"
#include "futex.h"
#include "wait.h"

/**
 * Rounds between two looks at others' queues. A thief that takes each task as it appears slows down the
 * owner, which is creating the next ones; so it comes less often and takes several.
 */
#define STEAL_EVERY 16

/*
 * Who makes short tasks and runs them itself would call a sleeper each time that one has gone to sleep again:
 * a system call, and nothing is left for who was called. So who was called in vain takes a nap first, and is
 * the called one still: meanwhile nobody else is called, unless tasks pile up. A task that is made then, and
 * that its creator does not come to, waits for the end of the nap at most.
 */
#define NAP       50000 /**< ns of the first one; each in a row is twice as long */
#define NAPS_MOST 4     /**< doublings */

/*
 * While a device works for tasks of the team, nobody wakes a sleeper when it has finished: each sleeper asks,
 * after a nap that is the longer the more they are. So the team asks every 100 us at first, and later every
 * 1.6 ms, however wide it is.
 */
#define DEVICE_NAP       100000 /**< ns */
#define DEVICE_NAPS_MOST 4      /**< doublings */
#define NAP_LONGEST      1000000000

static uint32_t device_nap(struct rt_team *team, struct rt_patience *patience)
{
    uint64_t ns = (rt_load(team->sleepers) & UINT32_MAX) * DEVICE_NAP << patience->naps;
    patience->naps += patience->naps < DEVICE_NAPS_MOST;
    return ns < NAP_LONGEST ? (uint32_t)ns : NAP_LONGEST;
}

/** The called thread found nothing that it may run, and will sleep again. */
static void work_wakeup_in_vain(struct rt_thread *th, struct rt_team *team, const struct rt_help *help)
{
    th->woken_for_work = 0;
    atomic_exchange_explicit(&team->work_wakeup, 0, memory_order_seq_cst);
    rt_arch_full_after_rmw(); /* as in rt_work_wakeup_end */
    if (!help->on)
        return;
    if (help->ancestor == NULL) {
        /* Nobody was called for what was made during its nap. It looks once more and takes one of them. */
        if (rt_tasks_queued(team, 2))
            rt_notify_work(team, 2);
    } else if (rt_tasks_queued(team, 1)) {
        /* Tasks that are not for it (task scheduling constraint): the others look, once, and call nobody. */
        rt_notify_slow(team, RT_WAKE_WORK, INT32_MAX);
    }
}

/** Sleeps, for at most NS if that is not 0. If there is something to do by now it does that instead. */
static void sleep_on(struct rt_thread *th, struct rt_team *team, uint32_t bits, struct rt_help help,
                     int (*ready)(void *), void *arg, uint32_t ns, struct rt_patience *patience)
{
    /*
     * Whoever changes what ready() looks at does so before it reads `sleepers`; this counts itself before it
     * looks again. One of the two sees the other (notify.h; litmus: sleeper_counts_itself).
     */
    uint32_t event = rt_acquire(team->event);
    uint64_t one = bits & RT_WAKE_DONE ? 1 | 1ULL << 32 : 1;
    atomic_fetch_add_explicit(&team->sleepers, one, memory_order_seq_cst);
    rt_arch_full_after_rmw();
    help.steal = RT_STEAL_ANY;
    if (!ready(arg) && !(help.on && rt_load(team->tasks_used) && rt_task_help(th, team, help))) {
        if (ns == 0 && help.on && unlikely(rt_load(team->device_tasks) != 0))
            ns = device_nap(team, patience);
        if (ns == 0)
            rt_futex_wait_bits(&team->event, event, bits);
        else
            rt_futex_wait_bits_for(&team->event, event, bits, ns);
    }
    atomic_fetch_sub_explicit(&team->sleepers, one, memory_order_relaxed);
}

void rt_team_wait(struct rt_thread *th, struct rt_team *team, uint32_t bits, struct rt_help help,
                  int (*ready)(void *), void *arg)
{
    struct rt_patience patience = {.team = team};
    for (;;) {
        if (ready(arg)) {
            if (unlikely(th->woken_for_work))
                rt_work_wakeup_end(th, team);
            return;
        }
        help.steal = (patience.rounds + patience.yields) % (STEAL_EVERY << th->steal_backoff) == 0
                         ? RT_STEAL_LEFT
                         : RT_STEAL_NO;
        if (help.on && rt_load(team->tasks_used) && rt_task_help(th, team, help)) {
            patience.rounds = 1;
            patience.yields = 0;
            patience.naps = 0;
            continue;
        }
        if (!rt_patience_spent(&patience))
            continue;
        rt_give_back_flush(th);
        if (unlikely(th->woken_for_work)) {
            if (help.on && !rt_tasks_queued(team, 1)) {
                sleep_on(th, team, bits, help, ready, arg, NAP << th->naps, &patience);
                th->naps += th->naps < NAPS_MOST;
                if (!th->woken_for_work || ready(arg))
                    continue;
            }
            work_wakeup_in_vain(th, team, &help);
        }
        sleep_on(th, team, bits, help, ready, arg, 0, &patience);
        if (rt_load(team->work_wakeup)) {
            th->woken_for_work = 1;
            patience = (struct rt_patience){.team = team};
        }
    }
}
