/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for taskloop (docs/abi/kmpc.md section 7): a pattern task that is copied for each
 * chunk.
 */
#include <string.h>

#include "../core/attach.h"
#include "../core/cancel.h"
#include "../core/execute.h"
#include "../core/submit.h"
#include "../core/task_chunk.h"
#include "../core/taskgroup.h"
#include "kmpc.h"

typedef void duplicate(struct rt_kmp_task *to, struct rt_kmp_task *from, int32_t last);

/** How the iterations are divided: `chunks` of `size`, the first `larger` of them one longer. */
struct division {
    uint64_t chunks, size, larger;
};

enum { FREE = 0, GRAINSIZE = 1, NUM_TASKS = 2 };

/** OpenMP 5.2 section 12.6: grainsize gives size .. 2 size - 1 each, strict exactly size but for the last. */
static struct division divide(uint64_t trip, int32_t sched, uint64_t wanted, int strict, uint64_t threads)
{
    struct division division;
    if (sched == GRAINSIZE && wanted > 0 && strict)
        return (struct division){(trip - 1) / wanted + 1, wanted, 0};
    if (sched == GRAINSIZE && wanted > 0)
        division.chunks = trip / wanted;
    else
        division.chunks = sched == NUM_TASKS && wanted > 0 ? wanted : threads * 4;
    if (division.chunks > trip)
        division.chunks = trip;
    if (division.chunks == 0)
        division.chunks = 1;
    division.size = trip / division.chunks;
    division.larger = trip % division.chunks;
    return division;
}

/** A copy of the pattern with everything behind it; shareds points into the copy. */
static struct rt_kmp_task *copy(struct rt_thread *th, struct rt_task *pattern, uint64_t first,
                                uint64_t iterations, struct rt_caller caller)
{
    struct rt_kmp_task *from = rt_task_payload(pattern);
    size_t payload = rt_task_payload_room(pattern), for_tools = rt_chunk_room();
    struct rt_task *task = rt_task_create(th, pattern->flags | RT_TASK_TASKLOOP, payload + for_tools,
                                          pattern->fn, pattern->loc, caller);
    struct rt_kmp_task *to = rt_task_payload(task);
    memcpy((void *)to, (const void *)from, payload);
    if (from->shareds != NULL)
        to->shareds = (char *)to + ((char *)from->shareds - (char *)from);
    rt_task_chunk_set(task, for_tools, first, iterations);
    task->priority = pattern->priority;
    return to;
}

static void taskloop(struct rt_kmp_task *kmp, int32_t deferred, uint64_t *lower, uint64_t *upper,
                     int64_t step, int32_t nogroup, int32_t sched, uint64_t wanted, int strict,
                     duplicate *dup, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    struct rt_task *pattern = rt_task_of(kmp), *current = rt_load(th->cur_task);
    uint64_t first = *lower, last = *upper;
    if (step == 0)
        step = 1;
    size_t lower_at = (size_t)((char *)lower - (char *)kmp), upper_at = (size_t)((char *)upper - (char *)kmp);
    /* Normalised loops run 0 .. upper with upper = -1 for none; others are signed. */
    int none = step > 0 ? (int64_t)last < (int64_t)first : (int64_t)first < (int64_t)last;
    uint64_t trip = none       ? 0
                    : step > 0 ? (last - first) / (uint64_t)step + 1
                               : (first - last) / (0 - (uint64_t)step) + 1;
    if (pattern->flags & RT_TASK_PRIORITY)
        pattern->priority = kmp->data2.priority;
    RT_EVENT(th, RT_ON_WORK, .what = RT_WORK_TASKLOOP, .count = trip, .team = current->team, .task = current,
             .codeptr = caller.codeptr, .frame = caller.frame);
    if (!nogroup)
        rt_taskgroup_begin_at(th, caller);
    if (trip > 0 && !rt_cancel_pending(th, RT_CANCEL_TASKGROUP)) {
        struct division division = divide(trip, sched, wanted, strict, (uint64_t)current->team->nthreads);
        uint64_t at = first;
        RT_TRACK(rt_store(current->enter_frame, caller.frame));
        for (uint64_t i = 0, done = 0; i < division.chunks; i++) {
            uint64_t size = division.size + (i < division.larger);
            if (size > trip - done)
                size = trip - done;
            struct rt_kmp_task *chunk = copy(th, pattern, done, size, caller);
            done += size;
            uint64_t next = at + size * (uint64_t)step;
            *(uint64_t *)(void *)((char *)chunk + lower_at) = at;
            *(uint64_t *)(void *)((char *)chunk + upper_at) = next - (uint64_t)step;
            at = next;
            if (dup != NULL)
                dup(chunk, kmp, done == trip);
            if (deferred)
                rt_task_submit(th, rt_task_of(chunk), NULL, 0);
            else
                rt_task_run_undeferred(th, rt_task_of(chunk), NULL, 0, caller);
        }
        RT_TRACK(rt_store(current->enter_frame, 0));
    }
    if (pattern->flags & RT_TASK_DESTRUCTORS)
        kmp->data1.destructors(th->gtid, kmp);
    rt_task_complete(th, pattern); /* it was never submitted */
    if (!nogroup)
        rt_taskgroup_end(th, caller);
    RT_EVENT(th, RT_ON_WORK, .end = 1, .what = RT_WORK_TASKLOOP, .count = trip, .team = current->team,
             .task = current, .codeptr = caller.codeptr, .frame = caller.frame);
}

RT_EXPORT void __kmpc_taskloop(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp, int32_t deferred,
                               uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t sched,
                               uint64_t wanted, duplicate *dup)
{
    (void)loc, (void)gtid;
    taskloop(kmp, deferred, lower, upper, step, nogroup, sched, wanted, 0, dup, RT_CALLER());
}

RT_EXPORT void __kmpc_taskloop_5(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp, int32_t deferred,
                                 uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup,
                                 int32_t sched, uint64_t wanted, int32_t modifier, duplicate *dup)
{
    (void)loc, (void)gtid;
    taskloop(kmp, deferred, lower, upper, step, nogroup, sched, wanted, modifier == 1, dup, RT_CALLER());
}
