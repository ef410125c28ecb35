/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The callbacks of OMPT of 2016: each event of the core becomes the one that the shipped dialect gives it.
 */

#include "../core/state.h"
#include "draft.h"

_Atomic(ompt_callback_t) draft_callbacks[DRAFT_EVENTS];

/** The callback of an event, as the type that it has; NULL none. */
#define CALLBACK(event, type) ((type)rt_acquire(draft_callbacks[event]))
#define CALL(event, type, ...)                 \
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

static void report_parallel(const struct rt_event *report)
{
    const struct rt_team *team = report->team;
    if (team->kind != RT_TEAM_PARALLEL)
        return;
    if (report->end)
        CALL(ompt_event_parallel_end, ompt_end_parallel_callback_t, rt_load(team->serial), id(report->task),
             invoker(team));
    else
        CALL(ompt_event_parallel_begin, ompt_new_parallel_callback_t, id(report->task),
             frame_of(report->task), rt_load(team->serial), (uint32_t)report->count, code(team->fn),
             invoker(team));
}

/** Events of (region, task); of a worker's last barrier the region is over, but its id is in the task. */
static void report_in_region(int event, struct rt_task *task)
{
    uint64_t region = task->flags & RT_TASK_IMPLICIT ? task->team_serial : draft_region(task);
    CALL(event, ompt_parallel_callback_t, region, id(task));
}

static void report_create(const struct rt_event *report)
{
    struct rt_task *task = report->task;
    if (task != NULL)
        CALL(ompt_event_task_begin, ompt_new_task_callback_t, id(report->other), frame_of(report->other),
             id(task), code(task->fn));
}

static void report_schedule(const struct rt_event *report)
{
    if (report->data != NULL) /* taskwait with dependences, which is no task here */
        return;
    int ends = report->what == RT_LEFT_COMPLETE || report->what == RT_LEFT_CANCEL ||
               report->what == RT_LEFT_LATE_FULFILL;
    int leaves = report->what != RT_LEFT_LATE_FULFILL && report->what != RT_LEFT_EARLY_FULFILL;
    if (leaves && report->other != NULL)
        CALL(ompt_event_task_switch, ompt_task_pair_callback_t, id(report->task), id(report->other));
    if (ends)
        CALL(ompt_event_task_end, ompt_task_callback_t, id(report->task));
}

/* ---- regions of synchronisation and work -------------------- */

static void report_sync(const struct rt_event *report)
{
    int wait = report->part == RT_SYNC_WAIT, event;
    switch (report->what) {
    case RT_STATE_TASKWAIT:
        event = wait ? ompt_event_wait_taskwait_begin : ompt_event_taskwait_begin;
        break;
    case RT_STATE_TASKGROUP:
        event = wait ? ompt_event_wait_taskgroup_begin : ompt_event_taskgroup_begin;
        break;
    default:
        event = wait ? ompt_event_wait_barrier_begin : ompt_event_barrier_begin;
    }
    report_in_region(event + report->end, report->task);
}

static void report_work(const struct rt_event *report)
{
    int event;
    switch (report->what) {
    case RT_WORK_LOOP_STATIC:
    case RT_WORK_LOOP_DYNAMIC:
    case RT_WORK_LOOP_GUIDED:
    case RT_WORK_LOOP_OTHER:
        event = ompt_event_loop_begin;
        break;
    case RT_WORK_SECTIONS:
        event = ompt_event_sections_begin;
        break;
    case RT_WORK_SINGLE_EXECUTOR:
        event = ompt_event_single_in_block_begin;
        break;
    case RT_WORK_SINGLE_OTHER:
        event = ompt_event_single_others_begin;
        break;
    default: /* distribute, taskloop and scope were not known */
        return;
    }
    if (report->end || event == ompt_event_single_others_begin)
        report_in_region(event + report->end, report->task);
    else
        CALL(event, ompt_new_workshare_callback_t, draft_region(report->task), id(report->task),
             code(report->team->fn));
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

static void report_mutex(const struct rt_event *report, int column)
{
    int event = report->what <= RT_WAIT_ATOMIC ? mutex_events[report->what][column] : 0;
    if (event != 0)
        CALL(event, ompt_wait_callback_t, (uint64_t)(uintptr_t)report->object);
}

void draft_event(struct rt_thread *th, struct rt_event *report)
{
    switch (report->on) {
    case RT_ON_THREAD: { /* its type differs from today's by name only */
        void (*callback)(int, uint64_t) =
            (void (*)(int, uint64_t))rt_acquire(draft_callbacks[ompt_event_thread_begin + report->end]);
        if (callback != NULL)
            callback((int)th->kind, rt_load(th->serial));
        break;
    }
    case RT_ON_IDLE:
        CALL(ompt_event_idle_begin + report->end, ompt_thread_callback_t, rt_load(th->serial));
        break;
    case RT_ON_PARALLEL:
        report_parallel(report);
        break;
    case RT_ON_IMPLICIT:
        report_in_region((report->task->flags & RT_TASK_IMPLICIT ? ompt_event_implicit_task_begin
                                                                 : ompt_event_initial_task_begin) +
                             report->end,
                         report->task);
        break;
    case RT_ON_CREATE:
        report_create(report);
        break;
    case RT_ON_SCHEDULE:
        report_schedule(report);
        break;
    case RT_ON_SYNC:
        report_sync(report);
        break;
    case RT_ON_WORK:
        report_work(report);
        break;
    case RT_ON_MASKED:
        report_in_region(ompt_event_master_begin + report->end, report->task);
        break;
    case RT_ON_LOCK_INIT:
        report_mutex(report, 0);
        break;
    case RT_ON_LOCK_DESTROY:
        report_mutex(report, 1);
        break;
    case RT_ON_WAIT:
        if (!report->end &&
            report->codeptr != 0) /* else the turn of a loop is only waited for to be passed on */
            report_mutex(report, 2);
        break;
    case RT_ON_ACQUIRED:
        report_mutex(report, 3);
        break;
    case RT_ON_RELEASED:
        report_mutex(report, 4);
        break;
    case RT_ON_NEST:
        CALL(report->end ? ompt_event_release_nest_lock_prev : ompt_event_acquired_nest_lock_next,
             ompt_wait_callback_t, (uint64_t)(uintptr_t)report->object);
        break;
    case RT_ON_FLUSH:
        CALL(ompt_event_flush, ompt_thread_callback_t, rt_load(th->serial));
        break;
    case RT_ON_CONTROL: {
        ompt_control_callback_t callback = CALLBACK(ompt_event_control, ompt_control_callback_t);
        if (callback != NULL) {
            callback(report->count, report->first);
            if (report->n == -1) /* no other tool has answered: omp_control_tool_success */
                report->n = 0;
        }
        break;
    }
    default: /* not known at the time */
        break;
    }
}
