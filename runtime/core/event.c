/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Hands each event to the listeners that want it. Everything here is behind a branch that is taken only when
 * a tool is there.
 */
#define _GNU_SOURCE
#include <sched.h>

#include "dep.h"
#include "event.h"
#include "membarrier.h"
#include "state.h"

#define KINDS 32
_Static_assert(RT_LISTENERS <= 8, "a listener has a bit in `wanted_by`");

RT_ALIGNED _Atomic uint32_t rt_wanted;

static rt_listener_fn nobody, several;
static rt_listener_fn *_Atomic functions[RT_LISTENERS];
static rt_listener_fn *const *by_kinds[RT_LISTENERS]; /* under the lock */
static _Atomic uint8_t wanted_by[KINDS];              /* by kind of event: which listeners want it */
/* What follows from that: the one listener's function, or one of these two. */
static rt_listener_fn *_Atomic by_kind_of_event[KINDS] = {[0 ... KINDS - 1] = nobody};

static rt_listener_fn *function_for(uint32_t receivers, int kind)
{
    if (receivers == 0)
        return nobody;
    if (!rt_membarrier_works || (receivers & (receivers - 1)) != 0)
        return several;
    int only = __builtin_ctz(receivers);
    return by_kinds[only] != NULL ? by_kinds[only][kind] : rt_load(functions[only]);
}

void rt_listener_set(enum rt_listener listener, rt_listener_fn *function, rt_listener_fn *const *by_kind,
                     uint32_t wants)
{
    uint32_t all = 0;
    rt_lock(&rt_listeners_lock);
    if (rt_membarrier_works && !rt_membarrier())
        rt_membarrier_works = 0; /* a filter has come since the start */
    rt_publish(functions[listener], function);
    by_kinds[listener] = by_kind;
    for (int kind = 0; kind < KINDS; kind++) {
        uint8_t now = rt_load(wanted_by[kind]);
        now = (uint8_t)(wants >> kind & 1 ? now | 1U << listener : now & ~(1U << listener));
        rt_publish(wanted_by[kind], now);
        rt_publish(by_kind_of_event[kind], function_for(now, kind));
        all |= (uint32_t)(now != 0) << kind;
    }
    uint32_t before = rt_load(rt_wanted);
    while (!atomic_compare_exchange_weak_explicit(&rt_wanted, &before,
                                                  all | (before & RT_MUTEX_NOT_ALL_QUIET),
                                                  memory_order_release, memory_order_relaxed))
        ;
    rt_unlock(&rt_listeners_lock);
}

void rt_mutex_not_all_quiet(void)
{
    if (!(rt_load(rt_wanted) & RT_MUTEX_NOT_ALL_QUIET))
        atomic_fetch_or_explicit(&rt_wanted, RT_MUTEX_NOT_ALL_QUIET, memory_order_relaxed);
}

/*
 * A listener that closes first withdraws what it wants and then looks whether a thread is inside a tool. A
 * thread first says that it is inside and then looks what is wanted. So one of the two sees the other. The
 * fence that this needs is the closing thread's: membarrier(2) has all other threads execute one. Where the
 * kernel has none, each event pays for its own.
 */
static void fence_all(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (rt_membarrier_works)
        rt_membarrier();
}

static void nobody(struct rt_thread *th, struct rt_event *event)
{
    (void)th, (void)event;
}

/** Begins go to the listeners in their order, ends in reverse. */
static void several(struct rt_thread *th, struct rt_event *event)
{
    atomic_thread_fence(memory_order_seq_cst);
    uint32_t receivers = rt_acquire(wanted_by[__builtin_ctz(event->on)]);
    if (th->only_listener != 0)
        receivers &= 1U << (th->only_listener - 1);
    while (receivers != 0) {
        int at = event->end ? 31 - __builtin_clz(receivers) : __builtin_ctz(receivers);
        receivers &= ~(1U << at);
        rt_acquire(functions[at])(th, event);
    }
}

static inline __attribute__((always_inline)) void deliver(struct rt_thread *th, struct rt_event *event)
{
    rt_store(th->in_tool, 1);
    atomic_signal_fence(memory_order_seq_cst);
    if (unlikely(th->only_listener != 0))
        several(th, event);
    else
        rt_acquire(by_kind_of_event[__builtin_ctz(event->on)])(th, event);
    rt_publish(th->in_tool, 0);
}

/** The encountering task's enter_frame is set meanwhile, if it is not already. */
static RT_COLD void deliver_with_frame(struct rt_thread *th, struct rt_event *event)
{
    struct rt_task *task = rt_load(th->cur_task);
    if (task == NULL || rt_load(task->enter_frame) != 0) {
        deliver(th, event);
        return;
    }
    RT_TRACK(rt_store(task->enter_frame, event->frame));
    deliver(th, event);
    RT_TRACK(rt_store(task->enter_frame, 0));
}

/**
 * A tool that calls the runtime from its callback, which the specification forbids, gets no events of what
 * that does.
 */
void rt_report(struct rt_thread *th, struct rt_event *event)
{
    if (unlikely(rt_load(th->in_tool)))
        return;
    if (event->frame != 0)
        deliver_with_frame(th, event);
    else
        deliver(th, event);
}

static void slab_quiet(const struct rt_thread *self, const struct rt_slab *slabs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; slabs[i].kind == RT_KIND_THREAD && k < rt_load(slabs[i].used); k++) {
            struct rt_thread *th = (void *)((char *)slabs[i].base + (size_t)slabs[i].slot_size * k);
            while (th != self && rt_acquire(th->serial) != 0 && rt_acquire(th->in_tool))
                sched_yield();
        }
}

void rt_tools_quiet(struct rt_thread *th)
{
    fence_all();
    slab_quiet(th, rt_root.slabs, rt_acquire(rt_root.slab_count));
    for (const struct rt_slab_block *block = rt_acquire(rt_root.more_slabs); block != NULL;
         block = rt_acquire(block->next))
        slab_quiet(th, block->slabs, rt_acquire(block->count));
}

/* ---- events of many places -------------------- */

static inline struct rt_event sync_event(struct rt_task *task, int end, uint32_t state, uint64_t codeptr)
{
    return (struct rt_event){.on = RT_ON_SYNC,
                             .end = (uint8_t)end,
                             .part = end ? RT_SYNC_WAIT : RT_SYNC_REGION,
                             .what = state,
                             .codeptr = codeptr,
                             .team = task->team,
                             .task = task};
}

void rt_report_sync_begin(struct rt_thread *th, int parts, uint32_t state, uint32_t kind, const void *object,
                          uint64_t codeptr, uint64_t frame)
{
    struct rt_task *task = rt_load(th->cur_task);
    RT_TRACK(rt_store(task->enter_frame, frame));
    (void)frame;
    struct rt_event event = sync_event(task, 0, state, codeptr);
    if (parts & RT_SYNC_REGION)
        rt_report(th, &event);
    if (!(parts & RT_SYNC_WAIT))
        return;
    rt_enter_wait(th, (enum rt_state)state, kind, object, codeptr);
    event.part = RT_SYNC_WAIT;
    rt_report(th, &event);
}

void rt_report_sync_end(struct rt_thread *th, int parts, uint32_t state, uint64_t codeptr, uint64_t frame)
{
    struct rt_task *task = rt_load(th->cur_task);
    RT_TRACK(rt_store(task->enter_frame, frame));
    rt_set_state(th, RT_STATE_OVERHEAD);
    struct rt_event event = sync_event(task, 1, state, codeptr);
    if (parts & RT_SYNC_WAIT)
        rt_report(th, &event);
    event.part = RT_SYNC_REGION;
    if (parts & RT_SYNC_REGION)
        rt_report(th, &event);
    if (frame == 0)
        return;
    rt_set_state(th, rt_state_working(task));
    RT_TRACK(rt_store(task->enter_frame, 0));
}

void rt_report_wait(struct rt_thread *th, int end, uint32_t kind, const void *object, uint64_t codeptr)
{
    rt_report(th, &(struct rt_event){.on = RT_ON_WAIT,
                                     .end = (uint8_t)end,
                                     .what = kind,
                                     .object = object,
                                     .codeptr = codeptr,
                                     .frame = (uint64_t)(uintptr_t)__builtin_frame_address(0)});
}

void rt_report_idle(struct rt_thread *th, int end)
{
    th->reported_idle = !end;
    if (!end)
        rt_set_state(th, RT_STATE_IDLE);
    rt_report(th, &(struct rt_event){.on = RT_ON_IDLE, .end = (uint8_t)end});
}

void rt_report_mutex(struct rt_thread *th, uint32_t on, uint32_t kind, int test, const void *object,
                     uint64_t codeptr, uint64_t frame)
{
    rt_report(th, &(struct rt_event){.on = on,
                                     .what = kind,
                                     .test = (uint8_t)test,
                                     .object = object,
                                     .codeptr = codeptr,
                                     .frame = frame});
}

void rt_report_create(struct rt_thread *th, struct rt_task *task, uint32_t flags, const struct rt_dep *deps,
                      int n, uint64_t frame)
{
    struct rt_event event = {.on = RT_ON_CREATE,
                             .task = task,
                             .other = rt_load(th->cur_task),
                             .flags = (task->flags | flags) & ~(uint32_t)RT_TASK_OURS,
                             .codeptr = task->codeptr,
                             .frame = frame,
                             .deps = deps,
                             .n = n};
    rt_report(th, &event);
    if (n > 0)
        rt_report(th, &(struct rt_event){.on = RT_ON_DEPENDENCES, .task = task, .deps = deps, .n = n});
}

void rt_report_schedule(struct rt_thread *th, struct rt_task *left, uint32_t status, struct rt_task *next)
{
    rt_report(th, &(struct rt_event){.on = RT_ON_SCHEDULE, .what = status, .task = left, .other = next});
}

void rt_report_leave(struct rt_thread *th, struct rt_task *task)
{
    if (rt_load(task->event) != RT_DETACH_NONE && task->resubmit != 1)
        return; /* rt_detach_body_done reports whether it is complete */
    uint32_t status = task->resubmit == 1 ? RT_LEFT_SWITCH
                      : task->cancelled   ? RT_LEFT_CANCEL
                                          : RT_LEFT_COMPLETE;
    rt_report_schedule(th, task, status, rt_load(task->sched_parent));
}

void rt_report_implicit(struct rt_thread *th, int end)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    struct rt_event event = {.on = RT_ON_IMPLICIT,
                             .end = (uint8_t)end,
                             .team = team,
                             .task = implicit,
                             .flags = implicit->flags & ~(uint32_t)RT_TASK_OURS,
                             .first = (uint64_t)rt_load(implicit->thread_num)};
    if (!(implicit->flags & RT_TASK_IMPLICIT)) {
        /* OpenMP 5.2 section 19.5.2.11: index 1 of an initial task that no teams construct has made */
        event.count = (uint64_t)team->num_teams;
        event.first = team->kind == RT_TEAM_TEAMS ? (uint64_t)team->team_num : 1;
    } else if (!end) { /* later the team may be at its next region already */
        event.count = (uint64_t)team->nthreads;
    }
    if (end)
        rt_report_work_end(th, (struct rt_caller){0, 0});
    else
        implicit->reported_work = implicit->cancelled = 0;
    rt_report(th, &event);
    /*
     * The program calls the code from where the entry point was; elsewhere the runtime stores the frame as it
     * calls.
     */
    if (!end && team->by_program && event.first == 0) {
        implicit->frame_flags[0] = RT_FRAME_OF_CODE;
        RT_TRACK(rt_store(implicit->exit_frame, rt_load(team->parent_task->enter_frame)));
    } else if (end && implicit->frame_flags[0] == RT_FRAME_OF_CODE) {
        implicit->frame_flags[0] = RT_FRAME_FLAG;
    }
}

/* ---- worksharing -------------------- */

static void report_work(struct rt_thread *th, int end, uint32_t kind, uint64_t count, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    rt_report(th, &(struct rt_event){.on = RT_ON_WORK,
                                     .end = (uint8_t)end,
                                     .what = kind,
                                     .count = count,
                                     .codeptr = caller.codeptr,
                                     .frame = caller.frame,
                                     .team = implicit->team,
                                     .task = rt_load(th->cur_task)});
}

void rt_report_work_end(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    uint32_t kind = implicit->reported_work;
    if (kind == 0)
        return;
    int single = kind == RT_WORK_SINGLE_EXECUTOR || kind == RT_WORK_SINGLE_OTHER;
    implicit->reported_work = 0;
    report_work(th, 1, kind, (uint64_t)single, caller);
}

void rt_report_work_begin(struct rt_thread *th, uint32_t kind, uint64_t count, struct rt_caller caller)
{
    rt_report_work_end(th, caller);
    th->implicit->reported_work = (uint8_t)kind;
    report_work(th, 0, kind, count, caller);
}

int rt_report_single(struct rt_thread *th, int mine, struct rt_caller caller)
{
    rt_report_work_begin(th, mine ? RT_WORK_SINGLE_EXECUTOR : RT_WORK_SINGLE_OTHER, 1, caller);
    if (!mine)
        rt_report_work_end(th, caller);
    return mine;
}

void rt_report_chunk(struct rt_thread *th, uint32_t kind, uint64_t first, uint64_t count)
{
    rt_report(th, &(struct rt_event){.on = RT_ON_DISPATCH,
                                     .what = kind,
                                     .first = first,
                                     .count = count,
                                     .team = th->implicit->team,
                                     .task = rt_load(th->cur_task)});
}
