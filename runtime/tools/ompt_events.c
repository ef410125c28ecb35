/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT's callbacks: each event of the core becomes the callback that OpenMP 5.2 chapter 19 gives it, with its
 * arguments.
 */
#include <stdlib.h>

#include "../core/dep.h"
#include "../core/message.h"
#include "../core/state.h"
#include "ompt.h"

/* ---- the core's numbers are OMPT's --------------------------------------------------------------------- */

#define SAME(ours, ompt) \
    _Static_assert((uint32_t)(ours) == (uint32_t)(ompt), #ours " has the number of " #ompt)
SAME(RT_STATE_WORK_SERIAL, ompt_state_work_serial);
SAME(RT_STATE_WORK_PARALLEL, ompt_state_work_parallel);
SAME(RT_STATE_WORK_REDUCTION, ompt_state_work_reduction);
SAME(RT_STATE_BARRIER, ompt_state_wait_barrier);
SAME(RT_STATE_BARRIER_IMPLICIT_PARALLEL, ompt_state_wait_barrier_implicit_parallel);
SAME(RT_STATE_BARRIER_IMPLICIT_WORKSHARE, ompt_state_wait_barrier_implicit_workshare);
SAME(RT_STATE_BARRIER_EXPLICIT, ompt_state_wait_barrier_explicit);
SAME(RT_STATE_BARRIER_IMPLEMENTATION, ompt_state_wait_barrier_implementation);
SAME(RT_STATE_TASKWAIT, ompt_state_wait_taskwait);
SAME(RT_STATE_TASKGROUP, ompt_state_wait_taskgroup);
SAME(RT_STATE_MUTEX, ompt_state_wait_mutex);
SAME(RT_STATE_LOCK, ompt_state_wait_lock);
SAME(RT_STATE_CRITICAL, ompt_state_wait_critical);
SAME(RT_STATE_ATOMIC, ompt_state_wait_atomic);
SAME(RT_STATE_ORDERED, ompt_state_wait_ordered);
SAME(RT_STATE_IDLE, ompt_state_idle);
SAME(RT_STATE_OVERHEAD, ompt_state_overhead);
SAME(RT_WORK_SECTIONS, ompt_work_sections);
SAME(RT_WORK_SINGLE_EXECUTOR, ompt_work_single_executor);
SAME(RT_WORK_SINGLE_OTHER, ompt_work_single_other);
SAME(RT_WORK_DISTRIBUTE, ompt_work_distribute);
SAME(RT_WORK_TASKLOOP, ompt_work_taskloop);
SAME(RT_WORK_SCOPE, ompt_work_scope);
SAME(RT_WORK_LOOP_STATIC, ompt_work_loop_static);
SAME(RT_WORK_LOOP_DYNAMIC, ompt_work_loop_dynamic);
SAME(RT_WORK_LOOP_GUIDED, ompt_work_loop_guided);
SAME(RT_WORK_LOOP_OTHER, ompt_work_loop_other);
SAME(RT_DISPATCH_SECTION, ompt_dispatch_section);
SAME(RT_DISPATCH_WS_LOOP_CHUNK, ompt_dispatch_ws_loop_chunk);
SAME(RT_DISPATCH_TASKLOOP_CHUNK, ompt_dispatch_taskloop_chunk);
SAME(RT_DISPATCH_DISTRIBUTE_CHUNK, ompt_dispatch_distribute_chunk);
SAME(RT_LEFT_COMPLETE, ompt_task_complete);
SAME(RT_LEFT_YIELD, ompt_task_yield);
SAME(RT_LEFT_CANCEL, ompt_task_cancel);
SAME(RT_LEFT_DETACH, ompt_task_detach);
SAME(RT_LEFT_EARLY_FULFILL, ompt_task_early_fulfill);
SAME(RT_LEFT_LATE_FULFILL, ompt_task_late_fulfill);
SAME(RT_LEFT_SWITCH, ompt_task_switch);
SAME(RT_LEFT_TASKWAIT_COMPLETE, ompt_taskwait_complete);
SAME(RT_CANCELS_PARALLEL, ompt_cancel_parallel);
SAME(RT_CANCELS_SECTIONS, ompt_cancel_sections);
SAME(RT_CANCELS_LOOP, ompt_cancel_loop);
SAME(RT_CANCELS_TASKGROUP, ompt_cancel_taskgroup);
SAME(RT_CANCELS_ACTIVATED, ompt_cancel_activated);
SAME(RT_CANCELS_DETECTED, ompt_cancel_detected);
SAME(RT_CANCELS_DISCARDED_TASK, ompt_cancel_discarded_task);
SAME(RT_DOACROSS_SOURCE, ompt_dependence_type_source);
SAME(RT_DOACROSS_SINK, ompt_dependence_type_sink);
SAME(RT_SEVERITY_WARNING, ompt_warning);
SAME(RT_SEVERITY_FATAL, ompt_fatal);
SAME(RT_TASK_TASKWAIT, ompt_task_taskwait);
SAME(RT_TASK_INITIAL, ompt_task_initial);
SAME(RT_TASK_IMPLICIT, ompt_task_implicit);
SAME(RT_TASK_EXPLICIT, ompt_task_explicit);
SAME(RT_TASK_TARGET, ompt_task_target);
SAME(RT_TASK_UNDEFERRED, ompt_task_undeferred);
SAME(RT_TASK_UNTIED, ompt_task_untied);
SAME(RT_TASK_FINAL, ompt_task_final);
SAME(RT_TASK_MERGEABLE, ompt_task_mergeable);
#undef SAME

int ompt_tool_is_archer;

_Atomic(ompt_callback_t) ompt_callbacks[OMPT_CALLBACKS];

/** The callback of an event, by the type that the event has; NULL none. */
#define CALLBACK_AS(name, type) ((type##_t)rt_acquire(ompt_callbacks[name]))
#define CALLBACK(name)          CALLBACK_AS(name, name)
#define CALLBACK_SYNC(name)     CALLBACK_AS(name, ompt_callback_sync_region)
/** Calls it, if there is one. */
#define CALL_AS(name, type, ...)                                          \
    do {                                                                  \
        ompt_##type##_t callback = CALLBACK_AS(ompt_##name, ompt_##type); \
        if (callback != NULL)                                             \
            callback(__VA_ARGS__);                                        \
    } while (0)
#define CALL(name, ...) CALL_AS(name, name, __VA_ARGS__)

static ompt_data_t *data_word(uint64_t *word)
{
    return (ompt_data_t *)(void *)word;
}

static ompt_data_t *task_data(struct rt_task *task)
{
    return task != NULL ? data_word(&task->icvs.tool_data) : NULL;
}

static ompt_data_t *team_data(struct rt_team *team)
{
    return data_word(&team->tool_data);
}

static const ompt_frame_t *frame_of(struct rt_task *task)
{
    return task != NULL ? (const ompt_frame_t *)(const void *)&task->exit_frame : NULL;
}

static const void *address(uint64_t codeptr)
{
    return (const void *)(uintptr_t)codeptr; /* NOLINT(performance-no-int-to-ptr) */
}

static ompt_scope_endpoint_t endpoint(const struct rt_event *report)
{
    return report->end ? ompt_scope_end : ompt_scope_begin;
}

/** A task's data words, as they are when the task is first reported to a tool. */
static void begin_task(struct rt_task *task)
{
    task->icvs.tool_data = 0;
    task->frame_flags[0] = task->frame_flags[1] = RT_FRAME_FLAG;
}

/* ---- threads, regions, tasks -------------------- */

static void report_thread(struct rt_thread *th, struct rt_event *report)
{
    if (report->end) {
        CALL(callback_thread_end, data_word(&th->tool_data));
        return;
    }
    th->tool_data = 0;
    CALL(callback_thread_begin, (ompt_thread_t)th->kind, data_word(&th->tool_data));
}

static void report_parallel(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    struct rt_team *team = report->team;
    struct rt_task *task = report->task;
    uint32_t flags = (team->by_program ? ompt_parallel_invoker_program : ompt_parallel_invoker_runtime) |
                     (team->kind == RT_TEAM_TEAMS ? ompt_parallel_league : ompt_parallel_team);
    if (report->end) {
        CALL(callback_parallel_end, team_data(team), task_data(task), (int)flags, address(team->codeptr));
        return;
    }
    team->tool_data = 0;
    CALL(callback_parallel_begin, task_data(task), frame_of(task), team_data(team), (unsigned)report->count,
         (int)flags, address(team->codeptr));
}

static void report_implicit(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    struct rt_task *task = report->task;
    if (report->end) {
        /*
         * NULL by the specification; but Archer frees what it has of the region through the end of an initial
         * task.
         */
        ompt_data_t *region = report->flags & RT_TASK_INITIAL ? team_data(report->team) : NULL;
        CALL(callback_implicit_task, ompt_scope_end, region, task_data(task), 0, (unsigned)report->first,
             (int)report->flags);
        return;
    }
    begin_task(task);
    if (report->team->kind == RT_TEAM_INITIAL)
        report->team->tool_data = 0; /* no parallel-begin goes before it */
    CALL(callback_implicit_task, ompt_scope_begin, team_data(report->team), task_data(task),
         (unsigned)report->count, (unsigned)report->first, (int)report->flags);
}

static void report_create(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    if (report->task != NULL)
        begin_task(report->task);
    CALL(callback_task_create, task_data(report->other), frame_of(report->other),
         report->task != NULL ? task_data(report->task) : data_word(report->data), (int)report->flags,
         report->n > 0, address(report->codeptr));
}

static void report_schedule(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    /* NULL behind a taskwait (OpenMP 6.0 section 34.5.2); Archer before LLVM 19 would use it as it comes. */
    int none = report->what == ompt_taskwait_complete && !ompt_tool_is_archer;
    CALL(callback_task_schedule, report->data != NULL ? data_word(report->data) : task_data(report->task),
         (ompt_task_status_t)report->what, none ? NULL : task_data(report->other));
}

static ompt_dependence_type_t dependence_type(const struct rt_dep *dep)
{
    if (dep->address == UINTPTR_MAX)
        return ompt_dependence_type_out_all_memory;
    if (dep->type & 0x80) /* clang says 0x80 of both out and inout, gcc 0x83 (docs/abi/kmpc.md 1.3) */
        return dep->type & 1 ? ompt_dependence_type_inout_all_memory : ompt_dependence_type_out_all_memory;
    switch (dep->type & 0x0f) {
    case 1:
        return ompt_dependence_type_in;
    case 2:
        return ompt_dependence_type_out;
    case 4:
        return ompt_dependence_type_mutexinoutset;
    case 8:
        return ompt_dependence_type_inoutset;
    default:
        return ompt_dependence_type_inout;
    }
}

static void report_dependences(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    ompt_dependence_t some[32], *list = some;
    if (CALLBACK(ompt_callback_dependences) == NULL)
        return;
    if (report->n > 32 && (list = malloc((size_t)report->n * sizeof *list)) == NULL)
        rt_fatal("no memory for a tool's list of %d dependences", report->n);
    for (int i = 0; i < report->n; i++)
        if (report->what != 0)
            list[i] = (ompt_dependence_t){.variable.value = (uint64_t)report->vector[i],
                                          .dependence_type = (ompt_dependence_type_t)report->what};
        else
            list[i] = (ompt_dependence_t){
                .variable.value = report->deps[i].address != UINTPTR_MAX ? report->deps[i].address : 0,
                .dependence_type = dependence_type(&report->deps[i])};
    CALL(callback_dependences, report->data != NULL ? data_word(report->data) : task_data(report->task), list,
         report->n);
    if (list != some)
        free(list);
}

static void report_dependence(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    CALL(callback_task_dependence, task_data(report->task),
         report->data != NULL ? data_word(report->data) : task_data(report->other));
}

/* ---- synchronisation -------------------- */

static ompt_sync_region_t sync_kind(uint32_t state)
{
    static const uint8_t kinds[] = {
        [RT_STATE_BARRIER] = ompt_sync_region_barrier, /* gcc does not say which */
        [RT_STATE_BARRIER_IMPLICIT_PARALLEL] = ompt_sync_region_barrier_implicit_parallel,
        [RT_STATE_BARRIER_IMPLICIT_WORKSHARE] = ompt_sync_region_barrier_implicit_workshare,
        [RT_STATE_BARRIER_EXPLICIT] = ompt_sync_region_barrier_explicit,
        [RT_STATE_BARRIER_IMPLEMENTATION] = ompt_sync_region_barrier_implementation,
        [RT_STATE_TASKWAIT] = ompt_sync_region_taskwait,
        [RT_STATE_TASKGROUP] = ompt_sync_region_taskgroup,
    };
    return (ompt_sync_region_t)kinds[state];
}

static void report_sync(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    ompt_callback_sync_region_t callback = report->part == RT_SYNC_WAIT
                                               ? CALLBACK_SYNC(ompt_callback_sync_region_wait)
                                               : CALLBACK_SYNC(ompt_callback_sync_region);
    /* At the end of a region's last barrier the region itself may be over (OpenMP 5.2 section 19.5.2.13). */
    int over = report->end && report->what == RT_STATE_BARRIER_IMPLICIT_PARALLEL;
    if (callback != NULL)
        callback(sync_kind(report->what), endpoint(report), over ? NULL : team_data(report->team),
                 task_data(report->task), address(report->codeptr));
}

static void report_reduction(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    ompt_callback_sync_region_t callback = CALLBACK_SYNC(ompt_callback_reduction);
    if (callback != NULL)
        callback(ompt_sync_region_reduction, endpoint(report), team_data(report->team),
                 task_data(report->task), address(report->codeptr));
}

static ompt_mutex_t mutex_kind(const struct rt_event *report)
{
    static const uint8_t kinds[][2] = {
        [RT_WAIT_LOCK] = {ompt_mutex_lock, ompt_mutex_test_lock},
        [RT_WAIT_NEST_LOCK] = {ompt_mutex_nest_lock, ompt_mutex_test_nest_lock},
        [RT_WAIT_CRITICAL] = {ompt_mutex_critical, ompt_mutex_critical},
        [RT_WAIT_ORDERED] = {ompt_mutex_ordered, ompt_mutex_ordered},
        [RT_WAIT_ATOMIC] = {ompt_mutex_atomic, ompt_mutex_atomic},
    };
    return (ompt_mutex_t)kinds[report->what][report->test != 0];
}

static ompt_wait_id_t wait_id(const struct rt_event *report)
{
    return (ompt_wait_id_t)(uintptr_t)report->object;
}

#define REPORT_MUTEX(name, event)                                                                      \
    static void name(struct rt_thread *th, struct rt_event *report)                                    \
    {                                                                                                  \
        (void)th;                                                                                      \
        CALL_AS(event, callback_mutex, mutex_kind(report), wait_id(report), address(report->codeptr)); \
    }
#define REPORT_ACQUIRE(name, event)                                                        \
    static void name(struct rt_thread *th, struct rt_event *report)                        \
    {                                                                                      \
        ompt_mutex_t kind = mutex_kind(report);                                            \
        unsigned impl = kind == ompt_mutex_ordered ? OMPT_IMPL_TURN : OMPT_IMPL_WORD;      \
        (void)th;                                                                          \
        CALL_AS(event, callback_mutex_acquire, kind, report->flags, impl, wait_id(report), \
                address(report->codeptr));                                                 \
    }
REPORT_ACQUIRE(report_acquire, callback_mutex_acquire)
REPORT_MUTEX(report_acquired, callback_mutex_acquired)
REPORT_MUTEX(report_released, callback_mutex_released)
REPORT_ACQUIRE(report_lock_init, callback_lock_init)
REPORT_MUTEX(report_lock_destroy, callback_lock_destroy)

static void report_nest(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    CALL(callback_nest_lock, endpoint(report), wait_id(report), address(report->codeptr));
}

/* ---- worksharing and the rest -------------------- */

static void report_dispatch(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    ompt_dispatch_chunk_t chunk = {report->first, report->count};
    ompt_data_t instance = {.ptr = &chunk};
    if (report->what == ompt_dispatch_section)
        instance.ptr = (void *)(uintptr_t)report->codeptr; /* NOLINT(performance-no-int-to-ptr) */
    CALL(callback_dispatch, team_data(report->team), task_data(report->task), (ompt_dispatch_t)report->what,
         instance);
}

static void report_work(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    CALL(callback_work, (ompt_work_t)report->what, endpoint(report), team_data(report->team),
         task_data(report->task), report->count, address(report->codeptr));
}

static void report_masked(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    CALL(callback_masked, endpoint(report), team_data(report->team), task_data(report->task),
         address(report->codeptr));
}

static void report_cancel(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    CALL(callback_cancel, task_data(report->task), (int)report->flags, address(report->codeptr));
}

static void report_flush(struct rt_thread *th, struct rt_event *report)
{
    CALL(callback_flush, data_word(&th->tool_data), address(report->codeptr));
}

static void report_control(struct rt_thread *th, struct rt_event *report)
{
    ompt_callback_control_tool_t callback = CALLBACK(ompt_callback_control_tool);
    (void)th;
    if (callback != NULL)
        report->n = callback(report->count, report->first, (void *)(uintptr_t)report->object,
                             address(report->codeptr));
}

static void report_error(struct rt_thread *th, struct rt_event *report)
{
    (void)th;
    CALL(callback_error, (ompt_severity_t)report->flags, report->object, report->count,
         address(report->codeptr));
}

#define KIND(bit) __builtin_ctz(bit)
rt_listener_fn *const ompt_by_kind[32] = {
    [KIND(RT_ON_THREAD)] = report_thread,
    [KIND(RT_ON_PARALLEL)] = report_parallel,
    [KIND(RT_ON_IMPLICIT)] = report_implicit,
    [KIND(RT_ON_CREATE)] = report_create,
    [KIND(RT_ON_SCHEDULE)] = report_schedule,
    [KIND(RT_ON_DEPENDENCES)] = report_dependences,
    [KIND(RT_ON_DEPENDENCE)] = report_dependence,
    [KIND(RT_ON_SYNC)] = report_sync,
    [KIND(RT_ON_ACQUIRE)] = report_acquire,
    [KIND(RT_ON_ACQUIRED)] = report_acquired,
    [KIND(RT_ON_RELEASED)] = report_released,
    [KIND(RT_ON_NEST)] = report_nest,
    [KIND(RT_ON_LOCK_INIT)] = report_lock_init,
    [KIND(RT_ON_LOCK_DESTROY)] = report_lock_destroy,
    [KIND(RT_ON_WORK)] = report_work,
    [KIND(RT_ON_DISPATCH)] = report_dispatch,
    [KIND(RT_ON_MASKED)] = report_masked,
    [KIND(RT_ON_REDUCTION)] = report_reduction,
    [KIND(RT_ON_CANCEL)] = report_cancel,
    [KIND(RT_ON_FLUSH)] = report_flush,
    [KIND(RT_ON_CONTROL)] = report_control,
    [KIND(RT_ON_ERROR)] = report_error,
};

void ompt_event(struct rt_thread *th, struct rt_event *report)
{
    ompt_by_kind[KIND(report->on)](th, report);
}

/* ---- what is wanted -------------------- */

uint32_t ompt_wants(void)
{
    static const uint32_t kinds[OMPT_CALLBACKS] = {
        [ompt_callback_task_schedule] = RT_ON_SCHEDULE,
        [ompt_callback_control_tool] = RT_ON_CONTROL,
        [ompt_callback_sync_region_wait] = RT_ON_SYNC,
        [ompt_callback_mutex_released] = RT_ON_RELEASED,
        [ompt_callback_dependences] = RT_ON_DEPENDENCES,
        [ompt_callback_task_dependence] = RT_ON_DEPENDENCE,
        [ompt_callback_work] = RT_ON_WORK,
        [ompt_callback_masked] = RT_ON_MASKED,
        [ompt_callback_sync_region] = RT_ON_SYNC,
        [ompt_callback_lock_init] = RT_ON_LOCK_INIT,
        [ompt_callback_lock_destroy] = RT_ON_LOCK_DESTROY,
        [ompt_callback_mutex_acquire] = RT_ON_ACQUIRE,
        [ompt_callback_mutex_acquired] = RT_ON_ACQUIRED,
        [ompt_callback_nest_lock] = RT_ON_NEST,
        [ompt_callback_flush] = RT_ON_FLUSH,
        [ompt_callback_cancel] = RT_ON_CANCEL,
        [ompt_callback_reduction] = RT_ON_REDUCTION,
        [ompt_callback_dispatch] = RT_ON_DISPATCH,
        [ompt_callback_error] = RT_ON_ERROR,
    };
    /* The data words are kept for an active tool whatever it registers (OpenMP 5.2 section 19.2.3). */
    uint32_t wants = RT_ON_THREAD | RT_ON_PARALLEL | RT_ON_IMPLICIT | RT_ON_CREATE;
    for (int i = 1; i < OMPT_CALLBACKS; i++)
        if (rt_load(ompt_callbacks[i]) != NULL)
            wants |= kinds[i];
    return wants;
}
