/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for parallel regions (docs/abi/gomp.md section 2). The combined ones set the region's
 * first loop or sections up in each member before its code begins: that code starts with a `next` call.
 */
#include <stdlib.h>

#include "../core/attach.h"
#include "../core/message.h"
#include "../core/region.h"
#include "../core/taskgroup.h"
#include "gomp.h"

static struct rt_region region_of(gomp_fn *fn, void *data, unsigned num_threads, unsigned flags)
{
    return (struct rt_region){.fn = (void *)fn,
                              .call = RT_CALL_GOMP,
                              .argv = data,
                              .num_threads = gomp_int(num_threads),
                              .proc_bind = (int)(flags & 7)};
}

RT_EXPORT void GOMP_parallel(gomp_fn *fn, void *data, unsigned num_threads, unsigned flags)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_region region = region_of(fn, data, num_threads, flags);
    rt_fork(rt_me(), &region, caller);
}

/* ---- combined with a loop or with sections ------------------------------------------------------------- */

static void prepare_loop(struct rt_thread *th, void *argument)
{
    gomp_loop_begin(th, argument, (struct rt_caller){th->implicit->team->codeptr, 0});
}

static void fork_loop(gomp_fn *fn, void *data, unsigned num_threads, unsigned flags, struct gomp_loop loop,
                      struct rt_caller caller)
{
    struct rt_region region = region_of(fn, data, num_threads, flags);
    region.prepare = prepare_loop;
    region.argument = &loop;
    rt_fork(rt_me(), &region, caller);
}

/**
 * A region that GOMP_parallel_loop_*_start began: the loop is read by each member when it begins, so it lives
 * until GOMP_parallel_end. Regions nest, and one of another kind may be around or inside: `implicit` tells
 * whose it is.
 */
struct begun {
    struct begun *outer;
    struct rt_task *implicit;
    struct gomp_loop loop;
};
static _Thread_local struct begun *begun __attribute__((tls_model("initial-exec")));

static void begin_loop(gomp_fn *fn, void *data, unsigned num_threads, struct gomp_loop loop,
                       struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    struct begun *mine = malloc(sizeof *mine);
    if (mine == NULL)
        rt_fatal("no memory for a parallel region");
    *mine = (struct begun){begun, NULL, loop};
    begun = mine;
    struct rt_region region = region_of(fn, data, num_threads, 0);
    region.prepare = prepare_loop;
    region.argument = &mine->loop;
    region.by_program = 1;
    rt_fork_begin(th, &region, caller);
    mine->implicit = th->implicit;
}

RT_EXPORT void GOMP_parallel_start(gomp_fn *fn, void *data, unsigned num_threads)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_region region = region_of(fn, data, num_threads, 0);
    region.by_program = 1;
    rt_fork_begin(rt_me(), &region, caller);
}

RT_EXPORT void GOMP_parallel_end(void)
{
    struct rt_thread *th = rt_me();
    struct begun *mine = begun != NULL && begun->implicit == th->implicit ? begun : NULL;
    RT_TRACK(rt_store(th->implicit->exit_frame, 0));
    rt_fork_end(th);
    if (mine != NULL) {
        begun = mine->outer;
        free(mine);
    }
}

#define PARALLEL_LOOP(name, kind)                                                                       \
    RT_EXPORT void GOMP_parallel_loop_##name(gomp_fn *fn, void *data, unsigned num_threads, long start, \
                                             long end, long incr, long chunk, unsigned flags)           \
    {                                                                                                   \
        struct rt_caller caller = RT_CALLER();                                                          \
        fork_loop(fn, data, num_threads, flags, gomp_loop_long(kind, start, end, incr, chunk), caller); \
    }                                                                                                   \
    RT_ALSO_VERSION(GOMP_parallel_loop_##name);
#define PARALLEL_LOOP_RUNTIME(name, kind)                                                               \
    RT_EXPORT void GOMP_parallel_loop_##name(gomp_fn *fn, void *data, unsigned num_threads, long start, \
                                             long end, long incr, unsigned flags)                       \
    {                                                                                                   \
        struct rt_caller caller = RT_CALLER();                                                          \
        fork_loop(fn, data, num_threads, flags, gomp_loop_long(kind, start, end, incr, 0), caller);     \
    }                                                                                                   \
    RT_ALSO_VERSION(GOMP_parallel_loop_##name);
PARALLEL_LOOP(static, gomp_static((uint64_t)chunk))
PARALLEL_LOOP(dynamic, RT_SCHED_DYNAMIC | RT_SCHED_MONOTONIC)
PARALLEL_LOOP(guided, RT_SCHED_GUIDED | RT_SCHED_MONOTONIC)
PARALLEL_LOOP(nonmonotonic_dynamic, RT_SCHED_DYNAMIC | RT_SCHED_NONMONOTONIC)
PARALLEL_LOOP(nonmonotonic_guided, RT_SCHED_GUIDED | RT_SCHED_NONMONOTONIC)
PARALLEL_LOOP_RUNTIME(runtime, RT_SCHED_RUNTIME | RT_SCHED_MONOTONIC)
PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime, RT_SCHED_RUNTIME | RT_SCHED_NONMONOTONIC)
PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime, RT_SCHED_RUNTIME)

#define PARALLEL_LOOP_START(name, kind)                                                             \
    RT_EXPORT void GOMP_parallel_loop_##name##_start(gomp_fn *fn, void *data, unsigned num_threads, \
                                                     long start, long end, long incr, long chunk)   \
    {                                                                                               \
        struct rt_caller caller = RT_CALLER();                                                      \
        begin_loop(fn, data, num_threads, gomp_loop_long(kind, start, end, incr, chunk), caller);   \
    }                                                                                               \
    RT_ALSO_VERSION(GOMP_parallel_loop_##name##_start);
PARALLEL_LOOP_START(static, gomp_static((uint64_t)chunk))
PARALLEL_LOOP_START(dynamic, RT_SCHED_DYNAMIC | RT_SCHED_MONOTONIC)
PARALLEL_LOOP_START(guided, RT_SCHED_GUIDED | RT_SCHED_MONOTONIC)

RT_EXPORT void GOMP_parallel_loop_runtime_start(gomp_fn *fn, void *data, unsigned num_threads, long start,
                                                long end, long incr)
{
    struct rt_caller caller = RT_CALLER();
    begin_loop(fn, data, num_threads,
               gomp_loop_long(RT_SCHED_RUNTIME | RT_SCHED_MONOTONIC, start, end, incr, 0), caller);
}

RT_EXPORT void GOMP_parallel_sections(gomp_fn *fn, void *data, unsigned num_threads, unsigned count,
                                      unsigned flags)
{
    struct rt_caller caller = RT_CALLER();
    fork_loop(fn, data, num_threads, flags, gomp_sections_loop(count), caller);
}

RT_EXPORT void GOMP_parallel_sections_start(gomp_fn *fn, void *data, unsigned num_threads, unsigned count)
{
    struct rt_caller caller = RT_CALLER();
    begin_loop(fn, data, num_threads, gomp_sections_loop(count), caller);
}

/* ---- parallel reduction(task, ...) --------------------------------------------------------------------- */

static void setup_reductions(struct rt_thread *th, int threads, void *argument)
{
    (void)th;
    gomp_reduction_register(argument, threads);
}

/**
 * Each member's tasks belong to a taskgroup with the region's reductions; the core ends it with the member's
 * code.
 */
static void prepare_reductions(struct rt_thread *th, void *argument)
{
    rt_taskgroup_begin(th);
    rt_load(th->cur_task)->taskgroup->gomp_reductions = argument;
}

RT_EXPORT unsigned GOMP_parallel_reductions(gomp_fn *fn, void *data, unsigned num_threads, unsigned flags)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_region region = region_of(fn, data, num_threads, flags);
    region.setup = setup_reductions;
    region.prepare = prepare_reductions;
    region.argument = *(uintptr_t **)data;
    return (unsigned)rt_fork(rt_me(), &region, caller);
}

RT_ALSO_VERSION(GOMP_parallel);
RT_ALSO_VERSION(GOMP_parallel_start);
RT_ALSO_VERSION(GOMP_parallel_end);
RT_ALSO_VERSION(GOMP_parallel_loop_runtime_start);
RT_ALSO_VERSION(GOMP_parallel_sections);
RT_ALSO_VERSION(GOMP_parallel_sections_start);
RT_ALSO_VERSION(GOMP_parallel_reductions);
