/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The callbacks of OMPT of 2016: each event of the hub becomes the one that the shipped dialect gives it.
 */

#include "../core/state.h"
#include "draft.h"

_Atomic(ompt_callback_t) draft_callbacks[DRAFT_EVENTS];

/** The callback of an event, as the type that it has; NULL none. */
#define CALLBACK(event, type) ((type)rt_acquire(draft_callbacks[event]))
#define TELL(event, type, ...)                 \
    do {                                       \
        type callback = CALLBACK(event, type); \
        if (callback != NULL)                  \
            callback(__VA_ARGS__);             \
    } while (0)

static uint64_t id(struct rt_task *task)
{
    return rt_load(task->serial);
}

static ompt_frame_t *frame_of(struct rt_task *task)
{
    return (ompt_frame_t *)(void *)&task->exit_frame;
}

static void *code(uint64_t fn)
{
    return (void *)(uintptr_t)fn; /* NOLINT(performance-no-int-to-ptr) */
}

static ompt_invoker_t invoker(const struct rt_team *team)
{
    return team->by_program ? ompt_invoker_program : ompt_invoker_runtime;
}

/* ---- threads, regions, tasks -------------------- */

static void tell_parallel(const struct rt_notice *notice)
{
    const struct rt_team *team = notice->team;
    if (team->kind != RT_TEAM_PARALLEL)
        return;
    if (notice->end)
        TELL(ompt_event_parallel_end, ompt_end_parallel_callback_t, rt_load(team->serial), id(notice->task),
             invoker(team));
    else
        TELL(ompt_event_parallel_begin, ompt_new_parallel_callback_t, id(notice->task),
             frame_of(notice->task), rt_load(team->serial), (uint32_t)notice->count, code(team->fn),
             invoker(team));
}

/** Events of (region, task); of a worker's last barrier the region is over, but its id is in the task. */
static void tell_in_region(int event, struct rt_task *task)
{
    uint64_t region = task->flags & RT_TASK_IMPLICIT ? task->team_serial : draft_region(task);
    TELL(event, ompt_parallel_callback_t, region, id(task));
}

static void tell_create(const struct rt_notice *notice)
{
    struct rt_task *task = notice->task;
    if (task != NULL)
        TELL(ompt_event_task_begin, ompt_new_task_callback_t, id(notice->other), frame_of(notice->other),
             id(task), code(task->fn));
}

static void tell_schedule(const struct rt_notice *notice)
{
    if (notice->data != NULL) /* taskwait with dependences, which is no task here */
        return;
    int ends = notice->what == ompt_task_complete || notice->what == ompt_task_cancel ||
               notice->what == ompt_task_late_fulfill;
    int leaves = notice->what != ompt_task_late_fulfill && notice->what != ompt_task_early_fulfill;
    if (leaves && notice->other != NULL)
        TELL(ompt_event_task_switch, ompt_task_pair_callback_t, id(notice->task), id(notice->other));
    if (ends)
        TELL(ompt_event_task_end, ompt_task_callback_t, id(notice->task));
}

/* ---- regions of synchronisation and work -------------------- */

static void tell_sync(const struct rt_notice *notice)
{
    int wait = notice->part == RT_SYNC_WAIT, event;
    switch (notice->what) {
    case RT_STATE_TASKWAIT:
        event = wait ? ompt_event_wait_taskwait_begin : ompt_event_taskwait_begin;
        break;
    case RT_STATE_TASKGROUP:
        event = wait ? ompt_event_wait_taskgroup_begin : ompt_event_taskgroup_begin;
        break;
    default:
        event = wait ? ompt_event_wait_barrier_begin : ompt_event_barrier_begin;
    }
    tell_in_region(event + notice->end, notice->task);
}

static void tell_work(const struct rt_notice *notice)
{
    int event;
    switch (notice->what) {
    case ompt_work_loop:
    case ompt_work_loop_static:
    case ompt_work_loop_dynamic:
    case ompt_work_loop_guided:
    case ompt_work_loop_other:
        event = ompt_event_loop_begin;
        break;
    case ompt_work_sections:
        event = ompt_event_sections_begin;
        break;
    case ompt_work_single_executor:
        event = ompt_event_single_in_block_begin;
        break;
    case ompt_work_single_other:
        event = ompt_event_single_others_begin;
        break;
    default: /* distribute, taskloop and scope were not known */
        return;
    }
    if (notice->end || event == ompt_event_single_others_begin)
        tell_in_region(event + notice->end, notice->task);
    else
        TELL(event, ompt_new_workshare_callback_t, draft_region(notice->task), id(notice->task),
             code(notice->team->fn));
}

/* ---- mutexes -------------------- */

/** One row for each kind, RT_WAIT_*: init, destroy, wait, acquired, released; 0 there is none. */
static const uint8_t mutex_events[RT_WAIT_ATOMIC + 1][5] = {
    [RT_WAIT_LOCK] = {ompt_event_init_lock, ompt_event_destroy_lock, ompt_event_wait_lock,
                      ompt_event_acquired_lock, ompt_event_release_lock},
    [RT_WAIT_NEST_LOCK] = {ompt_event_init_nest_lock, ompt_event_destroy_nest_lock, ompt_event_wait_nest_lock,
                           ompt_event_acquired_nest_lock_first, ompt_event_release_nest_lock_last},
    [RT_WAIT_CRITICAL] = {0, 0, ompt_event_wait_critical, ompt_event_acquired_critical,
                          ompt_event_release_critical},
    [RT_WAIT_ORDERED] = {0, 0, ompt_event_wait_ordered, ompt_event_acquired_ordered,
                         ompt_event_release_ordered},
    [RT_WAIT_ATOMIC] = {0, 0, ompt_event_wait_atomic, ompt_event_acquired_atomic, ompt_event_release_atomic},
};

static void tell_mutex(const struct rt_notice *notice, int column)
{
    int event = notice->what <= RT_WAIT_ATOMIC ? mutex_events[notice->what][column] : 0;
    if (event != 0)
        TELL(event, ompt_wait_callback_t, (uint64_t)(uintptr_t)notice->object);
}

void draft_tell(struct rt_thread *th, struct rt_notice *notice)
{
    switch (notice->on) {
    case RT_ON_THREAD: { /* its type differs from today's by name only */
        void (*callback)(int, uint64_t) =
            (void (*)(int, uint64_t))rt_acquire(draft_callbacks[ompt_event_thread_begin + notice->end]);
        if (callback != NULL)
            callback((int)th->kind, rt_load(th->serial));
        break;
    }
    case RT_ON_IDLE:
        TELL(ompt_event_idle_begin + notice->end, ompt_thread_callback_t, rt_load(th->serial));
        break;
    case RT_ON_PARALLEL:
        tell_parallel(notice);
        break;
    case RT_ON_IMPLICIT:
        tell_in_region((notice->task->flags & RT_TASK_IMPLICIT ? ompt_event_implicit_task_begin
                                                               : ompt_event_initial_task_begin) +
                           notice->end,
                       notice->task);
        break;
    case RT_ON_CREATE:
        tell_create(notice);
        break;
    case RT_ON_SCHEDULE:
        tell_schedule(notice);
        break;
    case RT_ON_SYNC:
        tell_sync(notice);
        break;
    case RT_ON_WORK:
        tell_work(notice);
        break;
    case RT_ON_MASKED:
        tell_in_region(ompt_event_master_begin + notice->end, notice->task);
        break;
    case RT_ON_LOCK_INIT:
        tell_mutex(notice, 0);
        break;
    case RT_ON_LOCK_DESTROY:
        tell_mutex(notice, 1);
        break;
    case RT_ON_WAIT:
        if (!notice->end &&
            notice->codeptr != 0) /* else the turn of a loop is only waited for to be passed on */
            tell_mutex(notice, 2);
        break;
    case RT_ON_ACQUIRED:
        tell_mutex(notice, 3);
        break;
    case RT_ON_RELEASED:
        tell_mutex(notice, 4);
        break;
    case RT_ON_NEST:
        TELL(notice->end ? ompt_event_release_nest_lock_prev : ompt_event_acquired_nest_lock_next,
             ompt_wait_callback_t, (uint64_t)(uintptr_t)notice->object);
        break;
    case RT_ON_FLUSH:
        TELL(ompt_event_flush, ompt_thread_callback_t, rt_load(th->serial));
        break;
    case RT_ON_CONTROL: {
        ompt_control_callback_t callback = CALLBACK(ompt_event_control, ompt_control_callback_t);
        if (callback != NULL) {
            callback(notice->count, notice->first);
            if (notice->n == -1) /* no other tool has answered: omp_control_tool_success */
                notice->n = 0;
        }
        break;
    }
    default: /* not known at the time */
        break;
    }
}
