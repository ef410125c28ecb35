/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks that are ready to run, and the sleepers that are woken for them.
 */

#include "arch.h"
#include "deque.h"
#include "notify.h"
#include "ready.h"

void rt_task_make_ready(struct rt_thread *th, struct rt_task *task)
{
    struct rt_team *team = task->team;
    struct rt_task *implicit = th->implicit;
    rt_store(task->state, RT_TS_READY); /* an untied one's next part too: it is on no thread's stack now */
    uint32_t queued;
    /* From the push on the task may run and its slot be free. */
    if (unlikely(task->priority > 0)) {
        queued = rt_deque_insert(rt_deque_at(&team->priority_queue), task);
    } else {
        struct rt_member *member = likely(implicit->team == team)
                                       ? implicit->member
                                       : &team->members[task->creator_thread_num]; /* omp_fulfill_event */
        queued = rt_deque_push(rt_deque_at(&member->deque), task);
    }
    rt_notify_work(team, queued);
}

int rt_tasks_queued(struct rt_team *team, int enough)
{
    const struct rt_deque *by_priority = rt_acquire(team->priority_queue);
    int64_t queued = by_priority != NULL ? rt_load(by_priority->count) : 0;
    int n = __atomic_load_n(&team->nthreads, __ATOMIC_ACQUIRE);
    struct rt_member *members = __atomic_load_n(&team->members, __ATOMIC_ACQUIRE);
    for (int i = 0; i < n && queued < enough; i++) {
        const struct rt_deque *deque = rt_acquire(members[i].deque);
        queued += deque != NULL ? rt_load(deque->count) : 0;
    }
    return queued >= enough;
}

void rt_work_wakeup_end(struct rt_thread *th, struct rt_team *team)
{
    th->woken_for_work = 0;
    /*
     * Whoever makes a task ready afterwards sees the 0; what was made ready before is seen here (litmus:
     * work_wakeup).
     */
    atomic_exchange_explicit(&team->work_wakeup, 0, memory_order_seq_cst);
    rt_arch_full_after_rmw();
    if (rt_tasks_queued(team, 1))
        rt_notify_work(team, 1);
}
