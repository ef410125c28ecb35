/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for taskloop (docs/abi/gomp.md section 6.3). The first two words of each task's data are
 * the bounds of its part of the loop, as values of the loop variable, the second one excluded.
 */
#include <string.h>

#include "../core/attach.h"
#include "../core/task_chunk.h"
#include "../core/taskgroup.h"
#include "gomp.h"

struct taskloop {
    gomp_fn *fn;
    void *data;
    gomp_copy *copy;
    size_t size, align;
    unsigned flags;
    unsigned long num_tasks; /**< or the grainsize */
    int priority;
};

/** How a taskloop is divided: `tasks` tasks of `base` iterations, the first `extra` of them with one more. */
struct cut {
    uint64_t tasks, base, extra;
};

/**
 * OpenMP 5.2 section 12.6: grainsize g gives each task g to 2g - 1 iterations; with `strict` exactly g, but
 * for the last task.
 */
static struct cut cut(const struct taskloop *taskloop, uint64_t trip, int threads)
{
    uint64_t tasks = taskloop->num_tasks;
    if (taskloop->flags & GOMP_GRAINSIZE) {
        uint64_t grain = tasks == 0 ? 1 : tasks;
        if (taskloop->flags & GOMP_STRICT)
            return (struct cut){(trip - 1) / grain + 1, grain, 0};
        tasks = trip / grain;
    } else if (tasks == 0) {
        tasks = (uint64_t)threads;
    }
    if (tasks > trip)
        tasks = trip;
    if (tasks == 0)
        tasks = 1;
    return (struct cut){tasks, trip / tasks, trip % tasks};
}

static void create(struct rt_thread *th, const struct taskloop *taskloop, uint64_t start, uint64_t end,
                   struct rt_chunk chunk, struct rt_caller caller)
{
    void *data;
    size_t for_tools = rt_chunk_room();
    struct rt_task *task =
        gomp_task_create(th, gomp_task_flags(th, taskloop->flags) | RT_TASK_TASKLOOP, taskloop->fn,
                         taskloop->size + for_tools, taskloop->align, &data, caller);
    rt_task_chunk_set(task, for_tools, chunk.first, chunk.iterations);
    gomp_task_priority(task, taskloop->priority);
    if (taskloop->copy != NULL)
        gomp_task_copy(task, taskloop->copy, data, taskloop->data);
    else
        memcpy(data, taskloop->data, taskloop->size);
    ((uint64_t *)data)[0] = start;
    ((uint64_t *)data)[1] = end;
    gomp_task_submit(th, task, NULL, (taskloop->flags & GOMP_IF) != 0, caller);
}

static void gomp_taskloop_run(const struct taskloop *taskloop, struct gomp_loop loop, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    bool group = !(taskloop->flags & GOMP_NOGROUP);
    uintptr_t *reductions =
        group && taskloop->flags & GOMP_REDUCTION ? ((uintptr_t **)taskloop->data)[2] : NULL;
    if (loop.trip == 0 || gomp_task_dropped(th)) {
        if (reductions != NULL)
            reductions[2] = 0; /* tells the compiler's code that there is nothing to combine */
        return;
    }
    struct rt_task *current = rt_load(th->cur_task);
    if (group)
        rt_taskgroup_begin_at(th, caller);
    RT_EVENT(th, RT_ON_WORK, .what = RT_WORK_TASKLOOP, .count = loop.trip, .team = current->team,
             .task = current, .codeptr = caller.codeptr, .frame = caller.frame);
    if (reductions != NULL) {
        gomp_reduction_register(reductions, th->implicit->team->nthreads);
        rt_load(th->cur_task)->taskgroup->gomp_reductions = reductions;
    }
    struct cut parts = cut(taskloop, loop.trip, th->implicit->team->nthreads);
    uint64_t first = 0;
    for (uint64_t i = 0; i < parts.tasks; i++) {
        uint64_t next = first + parts.base + (i < parts.extra);
        create(th, taskloop, loop.start + first * loop.incr,
               i + 1 == parts.tasks ? loop.end : loop.start + next * loop.incr,
               (struct rt_chunk){first, i + 1 == parts.tasks ? loop.trip - first : next - first}, caller);
        first = next;
    }
    RT_EVENT(th, RT_ON_WORK, .end = 1, .what = RT_WORK_TASKLOOP, .count = loop.trip, .team = current->team,
             .task = current, .codeptr = caller.codeptr, .frame = caller.frame);
    if (group) /* a taskloop is executed as if in a taskgroup (OpenMP 5.2 section 12.6) */
        rt_taskgroup_end(th, caller);
}

RT_EXPORT void GOMP_taskloop(gomp_fn *fn, void *data, gomp_copy *copy, long size, long align, unsigned flags,
                             unsigned long num_tasks, int priority, long start, long end, long step)
{
    struct rt_caller caller = RT_CALLER();
    struct taskloop taskloop = {fn, data, copy, (size_t)size, (size_t)align, flags, num_tasks, priority};
    gomp_taskloop_run(&taskloop, gomp_loop_long(0, start, end, step, 0), caller);
}

RT_EXPORT void GOMP_taskloop_ull(gomp_fn *fn, void *data, gomp_copy *copy, long size, long align,
                                 unsigned flags, unsigned long num_tasks, int priority, gomp_ull start,
                                 gomp_ull end, gomp_ull step)
{
    struct rt_caller caller = RT_CALLER();
    struct taskloop taskloop = {fn, data, copy, (size_t)size, (size_t)align, flags, num_tasks, priority};
    gomp_taskloop_run(&taskloop, gomp_loop_ull(0, (flags & GOMP_UP) != 0, start, end, step, 0), caller);
}

RT_ALSO_VERSION(GOMP_taskloop);
RT_ALSO_VERSION(GOMP_taskloop_ull);
