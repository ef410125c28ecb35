/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for single, with and without copyprivate, and scope (docs/abi/gomp.md section 4). Their
 * barrier is a call of its own.
 */

#include "../core/attach.h"
#include "../core/single.h"
#include "../core/state.h"
#include "gomp.h"

RT_EXPORT bool GOMP_single_start(void)
{
    struct rt_thread *th = rt_me();
    int mine = rt_single_claim(th);
    if (RT_WANTS(RT_ON_WORK)) /* gcc's code says nothing at its end: see rt_report_work_begin */
        return rt_report_single(th, mine, RT_CALLER()) != 0;
    return mine != 0;
}

/**
 * The values are broadcast before any thread leaves the barrier at the end of the construct (OpenMP 5.2
 * section 5.7.2). So who waits for them has arrived there, though gcc's call of the barrier follows.
 */
static void wait_for_copy(struct rt_thread *th, struct rt_workshare *work, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    uint32_t gen = rt_load(implicit->team->bar_gen);
    (void)gen, (void)caller;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, RT_WAIT_BARRIER, implicit->team, caller.codeptr);
    RT_TRACK(rt_store(implicit->bar_seq, gen + 1));
    RT_EVENT(th, RT_ON_OTHER_WAIT, .what = RT_WAIT_BARRIER);
    rt_workshare_wait_ready(work);
    RT_EVENT(th, RT_ON_OTHER_WAIT, .end = 1, .what = RT_WAIT_BARRIER);
    RT_TRACK(rt_store(implicit->bar_seq, gen));
    rt_set_state(th, RT_STATE_WORK_PARALLEL);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

/**
 * NULL in the thread that is to run the block; the others wait for its data, which stays until the barrier.
 */
RT_EXPORT void *GOMP_single_copy_start(void)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    struct rt_task *implicit = th->implicit;
    if (implicit->team->nthreads == 1) {
        if (RT_WANTS(RT_ON_WORK))
            rt_report_single(th, 1, caller);
        return NULL;
    }
    struct rt_workshare *work = rt_workshare_enter(th);
    int mine = rt_workshare_claim(work);
    if (RT_WANTS(RT_ON_WORK))
        rt_report_single(th, mine, caller);
    if (mine) {
        implicit->workshare = work;
        return NULL;
    }
    wait_for_copy(th, work, caller);
    void *data = work->data;
    rt_workshare_leave(th, work);
    return data;
}

RT_EXPORT void GOMP_single_copy_end(void *data)
{
    struct rt_thread *th = rt_me();
    struct rt_task *implicit = th->implicit;
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(th, RT_CALLER());
    if (implicit->team->nthreads == 1)
        return;
    struct rt_workshare *work = implicit->workshare;
    implicit->workshare = NULL;
    work->data = data;
    rt_workshare_ready(work);
    rt_workshare_leave(th, work);
}

RT_EXPORT void GOMP_scope_start(uintptr_t *reductions)
{
    struct rt_thread *th = rt_me();
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_begin(th, RT_WORK_SCOPE, 1, RT_CALLER());
    gomp_work_begin(th, reductions, NULL);
}

RT_ALSO_VERSION(GOMP_single_start);
RT_ALSO_VERSION(GOMP_single_copy_start);
RT_ALSO_VERSION(GOMP_single_copy_end);
