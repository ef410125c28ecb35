/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for single, with and without copyprivate, and scope (docs/abi/gomp.md section 4). Their
 * barrier is a call of its own.
 */

#include "../core/attach.h"
#include "../core/copyprivate.h"
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
 * NULL in the thread that is to run the block; the others wait for its data, which stays until the barrier.
 */
RT_EXPORT void *GOMP_single_copy_start(void)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    struct rt_workshare *work = NULL;
    if (unlikely(rt_root.cancellation) && th->implicit->team->nthreads > 1)
        work = rt_workshare_enter(th);
    int mine = work != NULL ? rt_workshare_claim(work) : rt_single_claim(th);
    if (RT_WANTS(RT_ON_WORK))
        rt_report_single(th, mine, caller);
    if (mine) {
        if (unlikely(work != NULL))
            th->implicit->workshare = work;
        return NULL;
    }
    void *data = rt_copyprivate_wait(th, work, caller, 0);
    if (work != NULL)
        rt_workshare_leave(th, work);
    return data;
}

RT_EXPORT void GOMP_single_copy_end(void *data)
{
    struct rt_thread *th = rt_me();
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(th, RT_CALLER());
    if (th->implicit->team->nthreads == 1)
        return;
    struct rt_workshare *work = rt_root.cancellation ? th->implicit->workshare : NULL;
    rt_copyprivate_give(th, work, data);
    if (unlikely(work != NULL)) {
        th->implicit->workshare = NULL;
        rt_workshare_leave(th, work);
    }
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
