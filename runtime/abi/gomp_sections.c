/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for sections (docs/abi/gomp.md section 4): a dynamic loop over the numbers of the
 * sections, whose chunks are handed on one by one.
 */

#include "../core/attach.h"
#include "../core/barrier.h"
#include "gomp.h"

/**
 * In a team of one the core gives all sections as one chunk: loop_lb .. loop_end - 1 of it are still to be
 * run.
 */
static unsigned next(struct rt_thread *th, uint64_t codeptr)
{
    struct rt_task *implicit = th->implicit;
    if (implicit->loop_lb == implicit->loop_end) {
        uint64_t first, last;
        int is_last;
        if (!rt_loop_next(th, &first, &last, &is_last))
            return 0;
        implicit->loop_lb = first;
        implicit->loop_end = last + 1;
    }
    RT_EVENT(th, RT_ON_DISPATCH, .what = RT_DISPATCH_SECTION, .team = implicit->team, .task = implicit,
             .codeptr = codeptr);
    return (unsigned)++implicit->loop_lb; /* the compiler counts from 1 */
}

RT_EXPORT unsigned GOMP_sections_start(unsigned count)
{
    struct rt_thread *th = rt_me();
    struct gomp_loop loop = gomp_sections_loop(count);
    gomp_loop_begin(th, &loop, RT_CALLER());
    return next(th, RT_CALLER().codeptr);
}

RT_EXPORT unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **mem)
{
    struct rt_thread *th = rt_me();
    struct gomp_loop loop = gomp_sections_loop(count);
    gomp_work_begin(th, reductions, mem);
    gomp_loop_begin(th, &loop, RT_CALLER());
    return next(th, RT_CALLER().codeptr);
}

RT_EXPORT unsigned GOMP_sections_next(void)
{
    return next(rt_me(), RT_CALLER().codeptr);
}

RT_EXPORT void GOMP_sections_end(void)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    gomp_work_end(th, caller);
    rt_barrier(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, caller);
}

RT_EXPORT void GOMP_sections_end_nowait(void)
{
    gomp_work_end(rt_me(), RT_CALLER());
}

RT_EXPORT bool GOMP_sections_end_cancel(void)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    gomp_work_end(th, caller);
    return rt_barrier_cancellable(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, caller) != 0;
}

RT_ALSO_VERSION(GOMP_sections_start);
RT_ALSO_VERSION(GOMP_sections2_start);
RT_ALSO_VERSION(GOMP_sections_next);
RT_ALSO_VERSION(GOMP_sections_end);
RT_ALSO_VERSION(GOMP_sections_end_nowait);
RT_ALSO_VERSION(GOMP_sections_end_cancel);
