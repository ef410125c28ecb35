/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT's callbacks: each event of the hub becomes the callback that OpenMP 5.2 chapter 19 gives it, with its
 * arguments.
 */
#include <stdlib.h>

#include "../core/dep.h"
#include "../core/message.h"
#include "../core/state.h"
#include "ompt.h"

int ompt_tool_is_archer;

_Atomic(ompt_callback_t) ompt_callbacks[OMPT_CALLBACKS];

/** The callback of an event, by the type that the event has; NULL none. */
#define CALLBACK_AS(name, type) ((type##_t)rt_acquire(ompt_callbacks[name]))
#define CALLBACK(name)          CALLBACK_AS(name, name)
#define CALLBACK_SYNC(name)     CALLBACK_AS(name, ompt_callback_sync_region)
/** Calls it, if there is one. */
#define TELL_AS(name, type, ...)                                          \
    do {                                                                  \
        ompt_##type##_t callback = CALLBACK_AS(ompt_##name, ompt_##type); \
        if (callback != NULL)                                             \
            callback(__VA_ARGS__);                                        \
    } while (0)
#define TELL(name, ...) TELL_AS(name, name, __VA_ARGS__)

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

static ompt_scope_endpoint_t endpoint(const struct rt_notice *notice)
{
    return notice->end ? ompt_scope_end : ompt_scope_begin;
}

/** A task's words as a tool finds them when it first hears of the task. */
static void begin_task(struct rt_task *task)
{
    task->icvs.tool_data = 0;
    task->frame_flags[0] = task->frame_flags[1] = RT_FRAME_FLAG;
}

/* ---- threads, regions, tasks -------------------- */

static void tell_thread(struct rt_thread *th, struct rt_notice *notice)
{
    if (notice->end) {
        TELL(callback_thread_end, data_word(&th->tool_data));
        return;
    }
    th->tool_data = 0;
    TELL(callback_thread_begin, (ompt_thread_t)th->kind, data_word(&th->tool_data));
}

static void tell_parallel(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    struct rt_team *team = notice->team;
    struct rt_task *task = notice->task;
    uint32_t flags = (team->by_program ? ompt_parallel_invoker_program : ompt_parallel_invoker_runtime) |
                     (team->kind == RT_TEAM_TEAMS ? ompt_parallel_league : ompt_parallel_team);
    if (notice->end) {
        TELL(callback_parallel_end, team_data(team), task_data(task), (int)flags, address(team->codeptr));
        return;
    }
    team->tool_data = 0;
    TELL(callback_parallel_begin, task_data(task), frame_of(task), team_data(team), (unsigned)notice->count,
         (int)flags, address(team->codeptr));
}

static void tell_implicit(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    struct rt_task *task = notice->task;
    if (notice->end) {
        /*
         * NULL by the specification; but Archer frees what it has of the region through the end of an initial
         * task.
         */
        ompt_data_t *region = notice->flags & RT_TASK_INITIAL ? team_data(notice->team) : NULL;
        TELL(callback_implicit_task, ompt_scope_end, region, task_data(task), 0, (unsigned)notice->first,
             (int)notice->flags);
        return;
    }
    begin_task(task);
    if (notice->team->kind == RT_TEAM_INITIAL)
        notice->team->tool_data = 0; /* no parallel-begin goes before it */
    TELL(callback_implicit_task, ompt_scope_begin, team_data(notice->team), task_data(task),
         (unsigned)notice->count, (unsigned)notice->first, (int)notice->flags);
}

static void tell_create(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    if (notice->task != NULL)
        begin_task(notice->task);
    TELL(callback_task_create, task_data(notice->other), frame_of(notice->other),
         notice->task != NULL ? task_data(notice->task) : data_word(notice->data), (int)notice->flags,
         notice->n > 0, address(notice->codeptr));
}

static void tell_schedule(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    /* NULL behind a taskwait (OpenMP 6.0 section 34.5.2); Archer before LLVM 19 would use it as it comes. */
    int none = notice->what == ompt_taskwait_complete && !ompt_tool_is_archer;
    TELL(callback_task_schedule, notice->data != NULL ? data_word(notice->data) : task_data(notice->task),
         (ompt_task_status_t)notice->what, none ? NULL : task_data(notice->other));
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

static void tell_dependences(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    ompt_dependence_t some[32], *list = some;
    if (CALLBACK(ompt_callback_dependences) == NULL)
        return;
    if (notice->n > 32 && (list = malloc((size_t)notice->n * sizeof *list)) == NULL)
        rt_fatal("no memory for a tool's list of %d dependences", notice->n);
    for (int i = 0; i < notice->n; i++)
        if (notice->what != 0)
            list[i] = (ompt_dependence_t){.variable.value = (uint64_t)notice->vector[i],
                                          .dependence_type = (ompt_dependence_type_t)notice->what};
        else
            list[i] = (ompt_dependence_t){
                .variable.value = notice->deps[i].address != UINTPTR_MAX ? notice->deps[i].address : 0,
                .dependence_type = dependence_type(&notice->deps[i])};
    TELL(callback_dependences, notice->data != NULL ? data_word(notice->data) : task_data(notice->task), list,
         notice->n);
    if (list != some)
        free(list);
}

static void tell_dependence(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    TELL(callback_task_dependence, task_data(notice->task),
         notice->data != NULL ? data_word(notice->data) : task_data(notice->other));
}

/* ---- synchronisation -------------------- */

static ompt_sync_region_t sync_kind(uint32_t state)
{
    static const uint8_t kinds[] = {
        [RT_WAIT_BARRIER_ANY] = ompt_sync_region_barrier, /* gcc does not say which */
        [RT_WAIT_BARRIER_IMPLICIT_PARALLEL] = ompt_sync_region_barrier_implicit_parallel,
        [RT_WAIT_BARRIER_IMPLICIT_WORKSHARE] = ompt_sync_region_barrier_implicit_workshare,
        [RT_WAIT_BARRIER_EXPLICIT] = ompt_sync_region_barrier_explicit,
        [RT_WAIT_BARRIER_IMPLEMENTATION] = ompt_sync_region_barrier_implementation,
        [RT_STATE_TASKWAIT] = ompt_sync_region_taskwait,
        [RT_STATE_TASKGROUP] = ompt_sync_region_taskgroup,
    };
    return (ompt_sync_region_t)kinds[state];
}

static void tell_sync(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    ompt_callback_sync_region_t callback = notice->part == RT_SYNC_WAIT
                                               ? CALLBACK_SYNC(ompt_callback_sync_region_wait)
                                               : CALLBACK_SYNC(ompt_callback_sync_region);
    /* At the end of a region's last barrier the region itself may be over (OpenMP 5.2 section 19.5.2.13). */
    int over = notice->end && notice->what == RT_WAIT_BARRIER_IMPLICIT_PARALLEL;
    if (callback != NULL)
        callback(sync_kind(notice->what), endpoint(notice), over ? NULL : team_data(notice->team),
                 task_data(notice->task), address(notice->codeptr));
}

static void tell_reduction(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    ompt_callback_sync_region_t callback = CALLBACK_SYNC(ompt_callback_reduction);
    if (callback != NULL)
        callback(ompt_sync_region_reduction, endpoint(notice), team_data(notice->team),
                 task_data(notice->task), address(notice->codeptr));
}

static ompt_mutex_t mutex_kind(const struct rt_notice *notice)
{
    static const uint8_t kinds[][2] = {
        [RT_WAIT_LOCK] = {ompt_mutex_lock, ompt_mutex_test_lock},
        [RT_WAIT_NEST_LOCK] = {ompt_mutex_nest_lock, ompt_mutex_test_nest_lock},
        [RT_WAIT_CRITICAL] = {ompt_mutex_critical, ompt_mutex_critical},
        [RT_WAIT_ORDERED] = {ompt_mutex_ordered, ompt_mutex_ordered},
        [RT_WAIT_ATOMIC] = {ompt_mutex_atomic, ompt_mutex_atomic},
    };
    return (ompt_mutex_t)kinds[notice->what][notice->test != 0];
}

static ompt_wait_id_t wait_id(const struct rt_notice *notice)
{
    return (ompt_wait_id_t)(uintptr_t)notice->object;
}

#define TELL_MUTEX(name, event)                                                                        \
    static void name(struct rt_thread *th, struct rt_notice *notice)                                   \
    {                                                                                                  \
        (void)th;                                                                                      \
        TELL_AS(event, callback_mutex, mutex_kind(notice), wait_id(notice), address(notice->codeptr)); \
    }
#define TELL_ACQUIRE(name, event)                                                          \
    static void name(struct rt_thread *th, struct rt_notice *notice)                       \
    {                                                                                      \
        ompt_mutex_t kind = mutex_kind(notice);                                            \
        unsigned impl = kind == ompt_mutex_ordered ? OMPT_IMPL_TURN : OMPT_IMPL_WORD;      \
        (void)th;                                                                          \
        TELL_AS(event, callback_mutex_acquire, kind, notice->flags, impl, wait_id(notice), \
                address(notice->codeptr));                                                 \
    }
TELL_ACQUIRE(tell_acquire, callback_mutex_acquire)
TELL_MUTEX(tell_acquired, callback_mutex_acquired)
TELL_MUTEX(tell_released, callback_mutex_released)
TELL_ACQUIRE(tell_lock_init, callback_lock_init)
TELL_MUTEX(tell_lock_destroy, callback_lock_destroy)

static void tell_nest(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    TELL(callback_nest_lock, endpoint(notice), wait_id(notice), address(notice->codeptr));
}

/* ---- worksharing and the rest -------------------- */

static void tell_dispatch(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    ompt_dispatch_chunk_t chunk = {notice->first, notice->count};
    ompt_data_t instance = {.ptr = &chunk};
    if (notice->what == ompt_dispatch_section)
        instance.ptr = (void *)(uintptr_t)notice->codeptr; /* NOLINT(performance-no-int-to-ptr) */
    TELL(callback_dispatch, team_data(notice->team), task_data(notice->task), (ompt_dispatch_t)notice->what,
         instance);
}

static void tell_work(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    TELL(callback_work, (ompt_work_t)notice->what, endpoint(notice), team_data(notice->team),
         task_data(notice->task), notice->count, address(notice->codeptr));
}

static void tell_masked(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    TELL(callback_masked, endpoint(notice), team_data(notice->team), task_data(notice->task),
         address(notice->codeptr));
}

static void tell_cancel(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    TELL(callback_cancel, task_data(notice->task), (int)notice->flags, address(notice->codeptr));
}

static void tell_flush(struct rt_thread *th, struct rt_notice *notice)
{
    TELL(callback_flush, data_word(&th->tool_data), address(notice->codeptr));
}

static void tell_control(struct rt_thread *th, struct rt_notice *notice)
{
    ompt_callback_control_tool_t callback = CALLBACK(ompt_callback_control_tool);
    (void)th;
    if (callback != NULL)
        notice->n = callback(notice->count, notice->first, (void *)(uintptr_t)notice->object,
                             address(notice->codeptr));
}

static void tell_error(struct rt_thread *th, struct rt_notice *notice)
{
    (void)th;
    TELL(callback_error, (ompt_severity_t)notice->flags, notice->object, notice->count,
         address(notice->codeptr));
}

#define KIND(bit) __builtin_ctz(bit)
rt_window_tell *const ompt_by_kind[32] = {
    [KIND(RT_ON_THREAD)] = tell_thread,
    [KIND(RT_ON_PARALLEL)] = tell_parallel,
    [KIND(RT_ON_IMPLICIT)] = tell_implicit,
    [KIND(RT_ON_CREATE)] = tell_create,
    [KIND(RT_ON_SCHEDULE)] = tell_schedule,
    [KIND(RT_ON_DEPENDENCES)] = tell_dependences,
    [KIND(RT_ON_DEPENDENCE)] = tell_dependence,
    [KIND(RT_ON_SYNC)] = tell_sync,
    [KIND(RT_ON_ACQUIRE)] = tell_acquire,
    [KIND(RT_ON_ACQUIRED)] = tell_acquired,
    [KIND(RT_ON_RELEASED)] = tell_released,
    [KIND(RT_ON_NEST)] = tell_nest,
    [KIND(RT_ON_LOCK_INIT)] = tell_lock_init,
    [KIND(RT_ON_LOCK_DESTROY)] = tell_lock_destroy,
    [KIND(RT_ON_WORK)] = tell_work,
    [KIND(RT_ON_DISPATCH)] = tell_dispatch,
    [KIND(RT_ON_MASKED)] = tell_masked,
    [KIND(RT_ON_REDUCTION)] = tell_reduction,
    [KIND(RT_ON_CANCEL)] = tell_cancel,
    [KIND(RT_ON_FLUSH)] = tell_flush,
    [KIND(RT_ON_CONTROL)] = tell_control,
    [KIND(RT_ON_ERROR)] = tell_error,
};

void ompt_tell(struct rt_thread *th, struct rt_notice *notice)
{
    ompt_by_kind[KIND(notice->on)](th, notice);
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
