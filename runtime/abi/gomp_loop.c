/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for worksharing loops (docs/abi/gomp.md section 3), for loop variables of type long and,
 * with `ull`, unsigned long long. Each thread calls a start, then next calls until one says false, then one
 * of the ends.
 */

#include "../core/attach.h"
#include "../core/barrier.h"
#include "gomp.h"

/* ---- next: all names of a type are one function, as the loop in hand knows its kind -------------------- */

__attribute__((used)) static bool next_long(long *istart, long *iend)
{
    return gomp_loop_next(rt_me(), (uint64_t *)istart, (uint64_t *)iend);
}

__attribute__((used)) static bool next_ull(gomp_ull *istart, gomp_ull *iend)
{
    return gomp_loop_next(rt_me(), (uint64_t *)istart, (uint64_t *)iend);
}

#define NEXT(name)                                                                                        \
    RT_EXPORT bool GOMP_loop_##name##_next(long *istart, long *iend) __attribute__((alias("next_long"))); \
    RT_EXPORT bool GOMP_loop_ull_##name##_next(gomp_ull *istart, gomp_ull *iend)                          \
        __attribute__((alias("next_ull")));                                                               \
    RT_ALSO_VERSION(GOMP_loop_##name##_next);                                                             \
    RT_ALSO_VERSION(GOMP_loop_ull_##name##_next);

/* ---- start --------------------------------------------------------------------------------------------- */

static bool begin(struct gomp_loop loop, uint64_t *istart, uint64_t *iend, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    gomp_loop_begin(th, &loop, caller);
    return gomp_loop_next(th, istart, iend);
}

#define LOOP(name, kind)                                                                                     \
    NEXT(name)                                                                                               \
    RT_EXPORT bool GOMP_loop_##name##_start(long start, long end, long incr, long chunk, long *istart,       \
                                            long *iend)                                                      \
    {                                                                                                        \
        return begin(gomp_loop_long(kind, start, end, incr, chunk), (uint64_t *)istart, (uint64_t *)iend,    \
                     RT_CALLER());                                                                           \
    }                                                                                                        \
    RT_EXPORT bool GOMP_loop_ull_##name##_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr,        \
                                                gomp_ull chunk, gomp_ull *istart, gomp_ull *iend)            \
    {                                                                                                        \
        return begin(gomp_loop_ull(kind, up, start, end, incr, chunk), (uint64_t *)istart, (uint64_t *)iend, \
                     RT_CALLER());                                                                           \
    }                                                                                                        \
    RT_ALSO_VERSION(GOMP_loop_##name##_start);                                                               \
    RT_ALSO_VERSION(GOMP_loop_ull_##name##_start);
LOOP(static, gomp_static((uint64_t)chunk))
LOOP(dynamic, RT_SCHED_DYNAMIC | RT_SCHED_MONOTONIC)
LOOP(guided, RT_SCHED_GUIDED | RT_SCHED_MONOTONIC)
LOOP(nonmonotonic_dynamic, RT_SCHED_DYNAMIC | RT_SCHED_NONMONOTONIC)
LOOP(nonmonotonic_guided, RT_SCHED_GUIDED | RT_SCHED_NONMONOTONIC)
LOOP(ordered_static, gomp_ordered(gomp_static((uint64_t)chunk)))
LOOP(ordered_dynamic, gomp_ordered(RT_SCHED_DYNAMIC))
LOOP(ordered_guided, gomp_ordered(RT_SCHED_GUIDED))

#define LOOP_RUNTIME(name, kind)                                                                         \
    NEXT(name)                                                                                           \
    RT_EXPORT bool GOMP_loop_##name##_start(long start, long end, long incr, long *istart, long *iend)   \
    {                                                                                                    \
        return begin(gomp_loop_long(kind, start, end, incr, 0), (uint64_t *)istart, (uint64_t *)iend,    \
                     RT_CALLER());                                                                       \
    }                                                                                                    \
    RT_EXPORT bool GOMP_loop_ull_##name##_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr,    \
                                                gomp_ull *istart, gomp_ull *iend)                        \
    {                                                                                                    \
        return begin(gomp_loop_ull(kind, up, start, end, incr, 0), (uint64_t *)istart, (uint64_t *)iend, \
                     RT_CALLER());                                                                       \
    }                                                                                                    \
    RT_ALSO_VERSION(GOMP_loop_##name##_start);                                                           \
    RT_ALSO_VERSION(GOMP_loop_ull_##name##_start);
LOOP_RUNTIME(runtime, RT_SCHED_RUNTIME | RT_SCHED_MONOTONIC)
LOOP_RUNTIME(nonmonotonic_runtime, RT_SCHED_RUNTIME | RT_SCHED_NONMONOTONIC)
LOOP_RUNTIME(maybe_nonmonotonic_runtime, RT_SCHED_RUNTIME)
LOOP_RUNTIME(ordered_runtime, gomp_ordered(RT_SCHED_RUNTIME))

/* ---- the general starts: any schedule, task reductions, memory for the team ---------------------------- */

/** istart NULL: the compiler has split the loop itself (static) and wants what the team shares. */
static bool begin_general(struct gomp_loop loop, uint64_t *istart, uint64_t *iend, uintptr_t *reductions,
                          void **mem, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    gomp_work_begin(th, reductions, mem);
    if (istart == NULL) {
        if (RT_WANTS(RT_ON_WORK))
            rt_report_work_begin(th, RT_WORK_LOOP_STATIC, loop.trip, caller);
        return true;
    }
    gomp_loop_begin(th, &loop, caller);
    return gomp_loop_next(th, istart, iend);
}

#define LOOP_GENERAL(name, kind)                                                                           \
    RT_EXPORT bool GOMP_loop_##name(long start, long end, long incr, long sched, long chunk, long *istart, \
                                    long *iend, uintptr_t *reductions, void **mem)                         \
    {                                                                                                      \
        return begin_general(gomp_loop_long(kind, start, end, incr, chunk), (uint64_t *)istart,            \
                             (uint64_t *)iend, reductions, mem, RT_CALLER());                              \
    }                                                                                                      \
    RT_EXPORT bool GOMP_loop_ull_##name(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, long sched,  \
                                        gomp_ull chunk, gomp_ull *istart, gomp_ull *iend,                  \
                                        uintptr_t *reductions, void **mem)                                 \
    {                                                                                                      \
        return begin_general(gomp_loop_ull(kind, up, start, end, incr, chunk), (uint64_t *)istart,         \
                             (uint64_t *)iend, reductions, mem, RT_CALLER());                              \
    }                                                                                                      \
    RT_ALSO_VERSION(GOMP_loop_##name);                                                                     \
    RT_ALSO_VERSION(GOMP_loop_ull_##name);
LOOP_GENERAL(start, gomp_sched(sched, (uint64_t)chunk))
LOOP_GENERAL(ordered_start, gomp_ordered(gomp_sched(sched, (uint64_t)chunk) & ~GOMP_MODIFIERS))

/* ---- end ----------------------------------------------------------------------------------------------- */

RT_EXPORT void GOMP_loop_end(void)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    gomp_work_end(th, caller);
    rt_barrier(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, caller);
}

RT_EXPORT void GOMP_loop_end_nowait(void)
{
    gomp_work_end(rt_me(), RT_CALLER());
}

RT_EXPORT bool GOMP_loop_end_cancel(void)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    gomp_work_end(th, caller);
    return rt_barrier_cancellable(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, caller) != 0;
}

RT_ALSO_VERSION(GOMP_loop_end);
RT_ALSO_VERSION(GOMP_loop_end_nowait);
RT_ALSO_VERSION(GOMP_loop_end_cancel);
