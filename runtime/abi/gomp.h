/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of gcc's ABI share (facts: docs/abi/gomp.md). gcc's code passes neither location nor thread
 * number, so the return address of each call is all that a debugger learns of the place.
 */
#ifndef RT_ABI_GOMP_H
#define RT_ABI_GOMP_H

#include <stdbool.h>

#include "../core/arch.h"
#include "../core/doacross.h"
#include "../core/loop.h"
#include "versions.h"

typedef unsigned long long gomp_ull;
typedef void gomp_fn(void *data);
typedef void gomp_copy(void *to, void *from);

/** fn(data) as user code called by the runtime: *exit_frame gets the frame, as rt_invoke documents. */
static inline void gomp_invoke(gomp_fn *fn, void *data, _Atomic uint64_t *exit_frame)
{
    rt_invoke((void *)fn, data, NULL, 0, NULL, exit_frame);
}

/** An unsigned clause value as the core's int. */
static inline int gomp_int(unsigned value)
{
    return value > INT32_MAX ? INT32_MAX : (int)value;
}

/* ---- loops (gomp_loop.c, gomp_parallel.c, gomp_doacross.c) --------------------------------------------- */

/**
 * A loop in its own terms: `start`, `end` and `incr` are two's complement words, so that long and unsigned
 * long long loops are the same from here on.
 */
struct gomp_loop {
    uint32_t kind; /**< RT_SCHED_* */
    uint64_t start, end, incr, trip, chunk;
};

/** A static loop without a chunk is one block per thread, with one it goes round. */
static inline uint32_t gomp_static(uint64_t chunk)
{
    return chunk != 0 ? RT_SCHED_STATIC_CHUNKED : RT_SCHED_STATIC;
}

/** The ordered form of a kind. Its turns pass by chunks, which are handed out in increasing order. */
static inline uint32_t gomp_ordered(uint32_t kind)
{
    return (kind + RT_SCHED_ORDERED) | RT_SCHED_BY_CHUNK | RT_SCHED_MONOTONIC;
}

/** monotonic and nonmonotonic, as the core passes them with a kind. */
#define GOMP_MODIFIERS ((uint32_t)(RT_SCHED_MONOTONIC | RT_SCHED_NONMONOTONIC))

/** The `sched` argument of the general starts: 0 .. 4, and bit 31 for monotonic. */
static inline uint32_t gomp_sched(long sched, uint64_t chunk)
{
    bool monotonic = ((uint64_t)sched & 0x80000000u) != 0;
    uint32_t order = monotonic ? RT_SCHED_MONOTONIC : RT_SCHED_NONMONOTONIC;
    switch ((uint64_t)sched & 0x7fffffff) {
    case 1:
        return gomp_static(chunk);
    case 2:
        return RT_SCHED_DYNAMIC | order;
    case 3:
        return RT_SCHED_GUIDED | order;
    case 4:
        return RT_SCHED_RUNTIME | order;
    default: /* runtime without a modifier: run-sched-var decides */
        return monotonic ? RT_SCHED_RUNTIME | RT_SCHED_MONOTONIC : RT_SCHED_RUNTIME;
    }
}

static inline uint64_t gomp_trip(uint64_t distance, uint64_t step)
{
    return step == 1 ? distance : (distance - 1) / step + 1;
}

static inline struct gomp_loop gomp_loop_long(uint32_t kind, long start, long end, long incr, long chunk)
{
    uint64_t trip = 0;
    if (incr > 0 && start < end)
        trip = gomp_trip((uint64_t)end - (uint64_t)start, (uint64_t)incr);
    else if (incr < 0 && start > end)
        trip = gomp_trip((uint64_t)start - (uint64_t)end, -(uint64_t)incr);
    return (struct gomp_loop){
        kind, (uint64_t)start, (uint64_t)end, (uint64_t)incr, trip, chunk > 0 ? (uint64_t)chunk : 0};
}

static inline struct gomp_loop gomp_loop_ull(uint32_t kind, bool up, gomp_ull start, gomp_ull end,
                                             gomp_ull incr, gomp_ull chunk)
{
    uint64_t trip = 0;
    if (up && start < end)
        trip = gomp_trip(end - start, incr);
    else if (!up && start > end)
        trip = gomp_trip(start - end, -incr);
    return (struct gomp_loop){kind, start, end, incr, trip, chunk};
}

/** Sections are a loop over their numbers; gomp_sections.c keeps in loop_lb .. loop_end what it was given. */
static inline struct gomp_loop gomp_sections_loop(unsigned count)
{
    return (struct gomp_loop){RT_SCHED_DYNAMIC | RT_SCHED_MONOTONIC, 0, 0, 0, count, 1};
}

static inline void gomp_loop_begin(struct rt_thread *th, const struct gomp_loop *loop,
                                   struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    implicit->loop_lb = loop->start;
    implicit->loop_st = loop->incr;
    implicit->loop_end = loop->end;
    rt_loop_begin(th, loop->kind, loop->trip, loop->chunk);
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_begin(th, loop->incr == 0 ? RT_WORK_SECTIONS : rt_loop_work_kind(th), loop->trip,
                             caller);
}

/**
 * The next chunk, half open, in the loop's own terms. The last one ends exactly at the loop's end: gcc's code
 * for lastprivate compares with that, for equality if the step is 1.
 */
static inline bool gomp_loop_next(struct rt_thread *th, uint64_t *start, uint64_t *end)
{
    struct rt_task *implicit = th->implicit;
    uint64_t first, last;
    int is_last = 0;
    if (!rt_loop_next(th, &first, &last, &is_last))
        return false;
    *start = implicit->loop_lb + first * implicit->loop_st;
    *end = is_last ? implicit->loop_end : implicit->loop_lb + (last + 1) * implicit->loop_st;
    if (RT_WANTS(RT_ON_DISPATCH))
        rt_report_chunk(th, RT_DISPATCH_WS_LOOP_CHUNK, first, last - first + 1);
    return true;
}

/** The calling thread is through with a worksharing region, whatever it had in hand for it. */
static inline void gomp_work_end(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(th, caller);
    rt_loop_leave(th);
    if (unlikely(implicit->doacross != NULL))
        rt_doacross_end(th);
    struct rt_workshare *work = implicit->workshare;
    if (unlikely(work != NULL)) {
        implicit->workshare = NULL;
        rt_workshare_leave(th, work);
    }
}

/* ---- task reductions and worksharing memory (gomp_reduction.c) ----------------------------------------- */

/**
 * What the general starts of worksharing regions add: with `mem`, zeroed memory that the team shares until
 * all have left the region (*mem holds its size); with `reductions`, a taskgroup whose tasks may take part in
 * them.
 */
void gomp_work_begin(struct rt_thread *th, uintptr_t *reductions, void **mem);
/** Slots of `threads` threads for a list of reduction arrays, until unregistered. */
void gomp_reduction_register(uintptr_t *reductions, int threads);

/* ---- tasks (gomp_task.c) ------------------------------------------------------------------------------- */

/* Flags of GOMP_task and GOMP_taskloop (docs/abi/gomp.md section 6). */
enum gomp_task_flag {
    GOMP_UNTIED = 0x1,
    GOMP_FINAL = 0x2,
    GOMP_MERGEABLE = 0x4,
    GOMP_DEPEND = 0x8,
    GOMP_PRIORITY = 0x10,
    GOMP_UP = 0x100,
    GOMP_GRAINSIZE = 0x200,
    GOMP_IF = 0x400,
    GOMP_NOGROUP = 0x800,
    GOMP_REDUCTION = 0x1000,
    GOMP_DETACH = 0x2000,
    GOMP_STRICT = 0x4000,
};

/** Entries in gcc's depend array; 0 for NULL. */
int gomp_deps_count(void **depend);
/**
 * Copies a task's data by the program's own constructors. Their destructors are in the task's code, so
 * cancellation does not drop this task any more: it counts as one that has begun.
 */
static inline void gomp_task_copy(struct rt_task *task, gomp_copy *copy, void *to, void *from)
{
    copy(to, from);
    ((struct rt_kmp_task *)rt_task_payload(task))->part_id = 1;
}

/** Whether a task that is to be created now would be dropped at once. */
bool gomp_task_dropped(struct rt_thread *th);
/** Sets what every explicit task has from gcc's flags. */
uint32_t gomp_task_flags(struct rt_thread *th, unsigned flags);
void gomp_task_priority(struct rt_task *task, int priority);
/** A task with room for `size` bytes at `align` behind its head; *data is that place. */
struct rt_task *gomp_task_create(struct rt_thread *th, uint32_t flags, gomp_fn *fn, size_t size, size_t align,
                                 void **data, struct rt_caller caller);
/** Hands the task over; the encountering task's frame is known meanwhile, since user code may run inside. */
void gomp_task_submit(struct rt_thread *th, struct rt_task *task, void **depend, bool deferred,
                      struct rt_caller caller);
/** An empty task that orders later siblings behind the list (taskwait nowait, target update nowait ...). */
void gomp_task_empty(struct rt_thread *th, uint32_t flags, void **depend, struct rt_caller caller);
/** Waits until what the list names is complete. */
void gomp_deps_wait(struct rt_thread *th, void **depend, struct rt_caller caller);

#endif
