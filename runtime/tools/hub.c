/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The event hub: hands each event to the windows that want it. Everything here is behind a branch that is
 * only taken when a tool is there.
 */
#include <sched.h>

#include "../core/rt.h"

RT_ALIGNED _Atomic uint32_t rt_wanted;

static struct {
    rt_window_tell *_Atomic tell;
    _Atomic uint32_t wants;
} windows[RT_WINDOWS];

static RT_FORK_LOCK(wishes_lock);

void rt_window_want(enum rt_window window, rt_window_tell *tell, uint32_t wants)
{
    uint32_t all = 0;
    rt_lock(&wishes_lock);
    rt_publish(windows[window].tell, tell);
    rt_publish(windows[window].wants, wants);
    for (int i = 0; i < RT_WINDOWS; i++)
        all |= rt_load(windows[i].wants);
    atomic_store_explicit(&rt_wanted, all, memory_order_seq_cst);
    rt_unlock(&wishes_lock);
}

/**
 * A tool that calls the runtime from its callback, which the specification forbids, is not told of what that
 * does. A closing window takes its wishes back and then waits for `in_tool`; here the order is the other way
 * round, so one of the two sees the other.
 */
void rt_tell(struct rt_thread *th, struct rt_notice *notice)
{
    if (rt_load(th->in_tool))
        return;
    atomic_store_explicit(&th->in_tool, 1, memory_order_seq_cst);
    struct rt_task *task = rt_load(th->cur_task);
    int framed = notice->frame != 0 && task != NULL && rt_load(task->enter_frame) == 0;
    if (framed)
        RT_TRACK(rt_store(task->enter_frame, notice->frame));
    for (int i = 0; i < RT_WINDOWS; i++) {
        int at = notice->end ? RT_WINDOWS - 1 - i : i;
        if (th->only != 0 && th->only != at + 1)
            continue;
        if (atomic_load_explicit(&windows[at].wants, memory_order_seq_cst) & notice->on)
            rt_acquire(windows[at].tell)(th, notice);
    }
    if (framed)
        RT_TRACK(rt_store(task->enter_frame, 0));
    rt_publish(th->in_tool, 0);
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
    slab_quiet(th, rt_root.slabs, rt_acquire(rt_root.slab_count));
    for (const struct rt_slab_block *block = rt_acquire(rt_root.more_slabs); block != NULL;
         block = rt_acquire(block->next))
        slab_quiet(th, block->slabs, rt_acquire(block->count));
}

/* ---- events of many places -------------------- */

static void tell_sync(struct rt_thread *th, enum rt_sync_part part, int end, uint32_t state, uint64_t codeptr)
{
    struct rt_task *task = rt_load(th->cur_task);
    rt_tell(th, &(struct rt_notice){.on = RT_ON_SYNC,
                                    .end = (uint8_t)end,
                                    .part = (uint8_t)part,
                                    .what = state,
                                    .codeptr = codeptr,
                                    .team = task->team,
                                    .task = task});
}

void rt_tell_sync_begin(struct rt_thread *th, int parts, uint32_t state, uint32_t kind, const void *object,
                        uint64_t codeptr, uint64_t frame)
{
    struct rt_task *task = rt_load(th->cur_task);
    RT_TRACK(rt_store(task->enter_frame, frame));
    (void)task, (void)frame;
    if (parts & RT_SYNC_REGION)
        tell_sync(th, RT_SYNC_REGION, 0, state, codeptr);
    if (!(parts & RT_SYNC_WAIT))
        return;
    rt_enter_wait(th, (enum rt_state)state, kind, object, codeptr);
    tell_sync(th, RT_SYNC_WAIT, 0, state, codeptr);
}

void rt_tell_sync_end(struct rt_thread *th, int parts, uint32_t state, uint64_t codeptr, uint64_t frame)
{
    struct rt_task *task = rt_load(th->cur_task);
    RT_TRACK(rt_store(task->enter_frame, frame));
    rt_set_state(th, RT_STATE_OVERHEAD);
    if (parts & RT_SYNC_WAIT)
        tell_sync(th, RT_SYNC_WAIT, 1, state, codeptr);
    if (parts & RT_SYNC_REGION)
        tell_sync(th, RT_SYNC_REGION, 1, state, codeptr);
    if (frame == 0)
        return;
    rt_set_state(th, rt_work_state(task));
    RT_TRACK(rt_store(task->enter_frame, 0));
}

void rt_tell_wait(struct rt_thread *th, int end, uint32_t kind, const void *object, uint64_t codeptr)
{
    rt_tell(th, &(struct rt_notice){.on = RT_ON_WAIT,
                                    .end = (uint8_t)end,
                                    .what = kind,
                                    .object = object,
                                    .codeptr = codeptr,
                                    .frame = (uint64_t)(uintptr_t)__builtin_frame_address(0)});
}

void rt_tell_idle(struct rt_thread *th, int end)
{
    th->told_idle = !end;
    if (!end)
        rt_set_state(th, RT_STATE_IDLE);
    rt_tell(th, &(struct rt_notice){.on = RT_ON_IDLE, .end = (uint8_t)end});
}

void rt_tell_mutex(struct rt_thread *th, uint32_t on, uint32_t kind, int test, const void *object,
                   uint64_t codeptr, uint64_t frame)
{
    rt_tell(th, &(struct rt_notice){.on = on,
                                    .what = kind,
                                    .test = (uint8_t)test,
                                    .object = object,
                                    .codeptr = codeptr,
                                    .frame = frame});
}

void rt_tell_create(struct rt_thread *th, struct rt_task *task, uint32_t flags, const struct rt_dep *deps,
                    int n, uint64_t frame)
{
    struct rt_notice notice = {.on = RT_ON_CREATE,
                               .task = task,
                               .other = rt_load(th->cur_task),
                               .flags = (task->flags | flags) & ~(uint32_t)RT_TASK_OURS,
                               .codeptr = task->codeptr,
                               .frame = frame,
                               .deps = deps,
                               .n = n};
    rt_tell(th, &notice);
    if (n > 0)
        rt_tell(th, &(struct rt_notice){.on = RT_ON_DEPENDENCES, .task = task, .deps = deps, .n = n});
}

void rt_tell_schedule(struct rt_thread *th, struct rt_task *left, uint32_t status, struct rt_task *next)
{
    rt_tell(th, &(struct rt_notice){.on = RT_ON_SCHEDULE, .what = status, .task = left, .other = next});
}

void rt_tell_leave(struct rt_thread *th, struct rt_task *task)
{
    if (rt_load(task->event) != RT_EVENT_NONE && !task->resubmit)
        return; /* rt_event_body_done tells whether it is complete */
    uint32_t status = task->resubmit == 1 ? ompt_task_switch
                      : task->told_cancel ? ompt_task_cancel
                                          : ompt_task_complete;
    rt_tell_schedule(th, task, status, rt_load(task->sched_parent));
}

void rt_tell_implicit(struct rt_thread *th, int end)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    struct rt_notice notice = {.on = RT_ON_IMPLICIT,
                               .end = (uint8_t)end,
                               .team = team,
                               .task = implicit,
                               .flags = implicit->flags & ~(uint32_t)RT_TASK_OURS,
                               .first = (uint64_t)rt_load(implicit->thread_num)};
    if (!(implicit->flags & RT_TASK_IMPLICIT)) {
        /* OpenMP 5.2 section 19.5.2.11: index 1 of an initial task that no teams construct has made */
        notice.count = (uint64_t)team->num_teams;
        notice.first = team->kind == RT_TEAM_TEAMS ? (uint64_t)team->team_num : 1;
    } else if (!end) { /* later the team may be at its next region already */
        notice.count = (uint64_t)team->nthreads;
    }
    if (end)
        rt_tell_work_end(th, 0);
    else
        implicit->told_work = implicit->told_cancel = 0;
    rt_tell(th, &notice);
    /* The program calls the code from where the entry point was; elsewhere the runtime stores the frame as it calls. */
    if (!end && team->by_program && notice.first == 0)
        RT_TRACK(rt_store(implicit->exit_frame, rt_load(team->parent_task->enter_frame)));
}

/* ---- worksharing -------------------- */

static void tell_work(struct rt_thread *th, int end, uint32_t kind, uint64_t count, uint64_t codeptr)
{
    struct rt_task *implicit = th->implicit;
    rt_tell(th, &(struct rt_notice){.on = RT_ON_WORK,
                                    .end = (uint8_t)end,
                                    .what = kind,
                                    .count = count,
                                    .codeptr = codeptr,
                                    .team = implicit->team,
                                    .task = rt_load(th->cur_task)});
}

void rt_tell_work_end(struct rt_thread *th, uint64_t codeptr)
{
    struct rt_task *implicit = th->implicit;
    uint32_t kind = implicit->told_work;
    if (kind == 0)
        return;
    implicit->told_work = 0;
    tell_work(th, 1, kind, 0, codeptr);
}

void rt_tell_work_begin(struct rt_thread *th, uint32_t kind, uint64_t count, uint64_t codeptr)
{
    rt_tell_work_end(th, codeptr);
    th->implicit->told_work = (uint8_t)kind;
    tell_work(th, 0, kind, count, codeptr);
}

void rt_tell_single(struct rt_thread *th, int mine, uint64_t codeptr)
{
    rt_tell_work_begin(th, mine ? ompt_work_single_executor : ompt_work_single_other, 1, codeptr);
    if (!mine)
        rt_tell_work_end(th, codeptr);
}

void rt_tell_chunk(struct rt_thread *th, uint32_t kind, uint64_t first, uint64_t count)
{
    rt_tell(th, &(struct rt_notice){.on = RT_ON_DISPATCH,
                                    .what = kind,
                                    .first = first,
                                    .count = count,
                                    .team = th->implicit->team,
                                    .task = rt_load(th->cur_task)});
}
