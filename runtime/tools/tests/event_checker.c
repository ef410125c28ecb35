/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A tool that asserts what OMPT promises about order: begins and ends pair on each thread and nest, a task
 * is created, scheduled and completed once, a mutex is acquired before it is released, and the inquiry
 * functions agree with the arguments of the callback. It knows nothing of the runtime but omp-tools.h.
 *
 * At the end it writes one line of counts, and one for each of the first violations, to $EVENT_CHECK_OUT (or
 * stderr).
 */
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omp-tools.h"

enum scope { PARALLEL = 1, IMPLICIT, REGION, WAIT, MASKED, REDUCTION };
enum life { CREATED = 1, RUNNING, SET_ASIDE, DETACHED, ENDED };

struct task {
    _Atomic int life;
    int implicit;
    int fulfilled;
    struct task *outer; /**< of an implicit task: the thread's current task before */
    int work;           /**< of an implicit task: the worksharing region that is open */
};

#define DEPTH 256
#define HELD  256
struct thread {
    struct {
        enum scope scope;
        int kind;
    } open[DEPTH];
    int depth;
    struct task *current;
    ompt_wait_id_t wanted; /**< acquire without acquired yet */
    ompt_wait_id_t held[HELD];
    int held_count;
    int ended;
};

/*
 * Not by __tls_get_addr: where a block of thread-local storage lies 16 bytes into a page, gcc 12's
 * ThreadSanitizer takes what is before it for glibc 2.19's header, a size of 123 TB, and ends the process.
 */
static _Thread_local struct thread *self __attribute__((tls_model("initial-exec")));
static _Atomic long violations, events, threads, regions, implicits, tasks, mutexes, syncs;
static _Atomic long discarded, dependences, created;
static char first_lines[4096];
static _Atomic int first_lines_used;

static ompt_get_thread_data_t get_thread_data;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_state_t get_state;

__attribute__((format(printf, 1, 2))) static void violation(const char *format, ...)
{
    char line[200];
    va_list args;
    violations++;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (n > (int)sizeof line - 2)
        n = (int)sizeof line - 2;
    line[n++] = '\n';
    int at = atomic_fetch_add_explicit(&first_lines_used, n, memory_order_relaxed);
    if (at + n < (int)sizeof first_lines)
        memcpy(first_lines + at, line, (size_t)n);
}

#define CHECK(condition, ...)       \
    do {                            \
        if (!(condition))           \
            violation(__VA_ARGS__); \
    } while (0)

/** Each callback but thread_begin starts here. */
static struct thread *me(const char *event)
{
    events++;
    if (self == NULL || self->ended) {
        violation("%s on a thread that has not begun or has ended", event);
        self = calloc(1, sizeof *self);
    }
    CHECK(get_thread_data() != NULL && get_thread_data()->ptr == self, "%s: another thread's data word",
          event);
    return self;
}

static void open_scope(struct thread *th, enum scope scope, int kind)
{
    if (th->depth == DEPTH) {
        violation("more than %d open scopes", DEPTH);
        return;
    }
    th->open[th->depth].scope = scope;
    th->open[th->depth++].kind = kind;
}

static void close_scope(struct thread *th, enum scope scope, int kind)
{
    if (th->depth == 0) {
        violation("end of scope %d kind %d, but nothing is open", scope, kind);
        return;
    }
    th->depth--;
    CHECK(th->open[th->depth].scope == scope && th->open[th->depth].kind == kind,
          "end of scope %d kind %d, open is scope %d kind %d", scope, kind, th->open[th->depth].scope,
          th->open[th->depth].kind);
}

static struct task *task_new(ompt_data_t *data, int life, int implicit)
{
    struct task *task = calloc(1, sizeof *task);
    CHECK(data->ptr == NULL, "a new task's data word is not none");
    task->life = life;
    task->implicit = implicit;
    data->ptr = task;
    return task;
}

/** What the inquiry functions say of the current task is what the callback says. */
static void agree(const char *event, const ompt_data_t *task_data, const ompt_data_t *parallel_data)
{
    ompt_data_t *task = NULL, *region = NULL;
    int size = 0;
    CHECK(get_task_info(0, NULL, &task, NULL, NULL, NULL) == 2 && task == task_data,
          "%s: ompt_get_task_info names another task", event);
    if (parallel_data != NULL)
        CHECK(get_parallel_info(0, &region, &size) == 2 && region == parallel_data && size > 0,
              "%s: ompt_get_parallel_info names another region", event);
}

/**
 * The task's code has called the runtime, unless it has not begun or has ended: then there is no exit_frame.
 */
static void entered(const char *event)
{
    ompt_frame_t *frame = NULL;
    get_task_info(0, NULL, NULL, &frame, NULL, NULL);
    CHECK(frame != NULL && (frame->exit_frame.ptr == NULL || frame->enter_frame.ptr != NULL),
          "%s: no enter_frame", event);
}

/* ---- threads, regions, tasks -------------------- */

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
    events++;
    threads++;
    CHECK(self == NULL, "a thread begins twice");
    CHECK(data->ptr == NULL, "a new thread's data word is not none");
    CHECK(type == ompt_thread_initial || type == ompt_thread_worker, "thread type %d", type);
    data->ptr = self = calloc(1, sizeof *self);
}

static void on_thread_end(ompt_data_t *data)
{
    struct thread *th = me("thread_end");
    (void)data;
    threads--;
    CHECK(th->depth == 0, "a thread ends with %d open scopes", th->depth);
    th->ended = 1;
}

static void on_parallel_begin(ompt_data_t *task_data, const ompt_frame_t *frame, ompt_data_t *data,
                              unsigned requested, int flags, const void *codeptr)
{
    struct thread *th = me("parallel_begin");
    (void)codeptr;
    regions++;
    CHECK(task_data->ptr == th->current, "parallel_begin: encountering task");
    CHECK(frame != NULL && frame->enter_frame.ptr != NULL, "parallel_begin: no enter_frame");
    CHECK(requested > 0, "parallel_begin: requested_parallelism 0");
    CHECK(data->ptr == NULL, "a new region's data word is not none");
    CHECK(((unsigned)flags & 0x3) == 1 || ((unsigned)flags & 0x3) == 2, "parallel_begin: flags %x",
          (unsigned)flags);
    data->ptr = data;
    agree("parallel_begin", task_data, NULL);
    open_scope(th, PARALLEL, (int)((unsigned)flags >> 30));
}

static void on_parallel_end(ompt_data_t *data, ompt_data_t *task_data, int flags, const void *codeptr)
{
    struct thread *th = me("parallel_end");
    (void)codeptr;
    regions--;
    CHECK(data->ptr == data, "parallel_end: the region's data word has changed");
    CHECK(task_data->ptr == th->current, "parallel_end: encountering task");
    agree("parallel_end", task_data, NULL);
    close_scope(th, PARALLEL, (int)((unsigned)flags >> 30));
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                             ompt_data_t *task_data, unsigned parallelism, unsigned index, int flags)
{
    struct thread *th = me("implicit_task");
    int kind = flags & (ompt_task_initial | ompt_task_implicit);
    CHECK(kind != 0, "implicit_task: flags %x", (unsigned)flags);
    if (endpoint == ompt_scope_begin) {
        implicits++;
        CHECK(parallel_data != NULL && parallelism > 0, "implicit_task begin: no region, or of no threads");
        CHECK(index < parallelism || kind == ompt_task_initial, "implicit_task %u of %u", index, parallelism);
        if (kind == ompt_task_implicit && parallel_data != NULL)
            CHECK(parallel_data->ptr == parallel_data, "implicit_task of a region that has not begun");
        struct task *task = task_new(task_data, RUNNING, 1);
        task->outer = th->current;
        th->current = task;
        agree("implicit_task begin", task_data, parallel_data);
        open_scope(th, IMPLICIT, kind);
        return;
    }
    implicits--;
    CHECK((parallel_data == NULL || kind == ompt_task_initial) && parallelism == 0,
          "implicit_task end: region or size is given");
    struct task *task = task_data->ptr;
    CHECK(task != NULL && task == th->current, "implicit_task end: not the current task");
    close_scope(th, IMPLICIT, kind);
    if (task == NULL)
        return;
    CHECK(task->work == 0, "implicit_task end: work %d is open", task->work);
    task->life = ENDED;
    th->current = task->outer;
}

static void on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *data, int flags,
                           int has_dependences, const void *codeptr)
{
    struct thread *th = me("task_create");
    (void)has_dependences;
    CHECK(encountering->ptr == th->current, "task_create: encountering task");
    CHECK(frame->enter_frame.ptr != NULL, "task_create: no enter_frame");
    CHECK(codeptr != NULL, "task_create: no codeptr_ra");
    if (!(flags & ompt_task_taskwait)) {
        tasks++;
        created++;
        CHECK(flags & (ompt_task_explicit | ompt_task_target), "task_create: flags %x", (unsigned)flags);
    }
    task_new(data, CREATED, 0);
}

static void leave(struct thread *th, struct task *task, ompt_task_status_t status)
{
    CHECK(task == th->current, "task_schedule: the task that is left is not the current one");
    CHECK(task->life == RUNNING, "task_schedule: a task of life %d is left", task->life);
    switch (status) {
    case ompt_task_complete:
    case ompt_task_cancel:
        CHECK(!task->implicit, "task_schedule: an implicit task completes");
        task->life = ENDED;
        tasks--;
        break;
    case ompt_task_detach:
        task->life = DETACHED;
        break;
    case ompt_task_switch:
    case ompt_task_yield:
        task->life = SET_ASIDE;
        break;
    default:
        violation("task_schedule: status %d", status);
    }
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    struct thread *th = me("task_schedule");
    struct task *task = prior->ptr, *then = next != NULL ? next->ptr : NULL;
    if (task == NULL) {
        violation("task_schedule: the prior task was not created");
        return;
    }
    if (status == ompt_taskwait_complete) {
        CHECK(task->life == CREATED && next == NULL, "taskwait_complete");
        task->life = ENDED;
        return;
    }
    if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) {
        CHECK(next == NULL, "task-fulfill with a next task");
        CHECK(!task->fulfilled, "a task's event is fulfilled twice");
        CHECK((task->life == DETACHED) == (status == ompt_task_late_fulfill) && task->life != ENDED,
              "task_schedule: status %d of a task of life %d", status, task->life);
        task->fulfilled = 1;
        if (status == ompt_task_late_fulfill) {
            task->life = ENDED;
            tasks--;
        }
        return;
    }
    leave(th, task, status);
    if (then == NULL) {
        violation("task_schedule: there is no next task");
        return;
    }
    CHECK(then->life == CREATED || then->life == SET_ASIDE, "task_schedule: a task of life %d goes on",
          then->life);
    then->life = RUNNING;
    th->current = then;
    agree("task_schedule", next, NULL);
}

static void on_dependences(ompt_data_t *data, const ompt_dependence_t *deps, int n)
{
    me("dependences");
    dependences += n;
    CHECK(data->ptr != NULL, "dependences of a task that was not created");
    for (int i = 0; i < n; i++)
        CHECK(deps[i].dependence_type >= ompt_dependence_type_in, "dependence type %d",
              deps[i].dependence_type);
}

static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
    me("task_dependence");
    CHECK(source->ptr != NULL && sink->ptr != NULL && source->ptr != sink->ptr, "task_dependence");
}

/* ---- synchronisation -------------------- */

static int is_state_of(int state, ompt_sync_region_t kind)
{
    switch (kind) {
    case ompt_sync_region_barrier:
        return state == ompt_state_wait_barrier;
    case ompt_sync_region_barrier_explicit:
        return state == ompt_state_wait_barrier_explicit;
    case ompt_sync_region_barrier_implicit_workshare:
        return state == ompt_state_wait_barrier_implicit_workshare;
    case ompt_sync_region_barrier_implicit_parallel:
        return state == ompt_state_wait_barrier_implicit_parallel;
    case ompt_sync_region_taskwait:
        return state == ompt_state_wait_taskwait;
    case ompt_sync_region_taskgroup:
        return state == ompt_state_wait_taskgroup;
    default:
        return 0;
    }
}

static void sync_event(enum scope scope, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                       ompt_data_t *parallel_data, ompt_data_t *task_data)
{
    struct thread *th = me("sync_region");
    syncs++;
    CHECK(task_data != NULL && task_data->ptr == th->current, "sync_region %d: not the current task", kind);
    if (endpoint == ompt_scope_begin) {
        agree("sync_region", task_data, parallel_data);
        if (scope == WAIT) {
            ompt_wait_id_t id;
            CHECK(is_state_of(get_state(&id), kind), "wait of kind %d in state %x", kind,
                  (unsigned)get_state(&id));
        }
        open_scope(th, scope, kind);
        return;
    }
    if (kind == ompt_sync_region_barrier_implicit_parallel)
        CHECK(parallel_data == NULL, "end of a region's last barrier with the region");
    else
        agree("sync_region end", task_data, parallel_data);
    close_scope(th, scope, kind);
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr)
{
    (void)codeptr;
    sync_event(REGION, kind, endpoint, parallel_data, task_data);
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr)
{
    (void)codeptr;
    sync_event(WAIT, kind, endpoint, parallel_data, task_data);
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                         ompt_data_t *task_data, const void *codeptr)
{
    struct thread *th = me("reduction");
    (void)codeptr;
    agree("reduction", task_data, parallel_data);
    entered("reduction");
    (endpoint == ompt_scope_begin ? open_scope : close_scope)(th, REDUCTION, kind);
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data, ompt_data_t *task_data,
                      const void *codeptr)
{
    struct thread *th = me("masked");
    (void)codeptr;
    agree("masked", task_data, parallel_data);
    entered("masked");
    (endpoint == ompt_scope_begin ? open_scope : close_scope)(th, MASKED, 0);
}

/**
 * Gcc says late where a nowait region ends, so these need not nest with the others; but there is one at a
 * time.
 */
static void on_work(ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                    ompt_data_t *task_data, uint64_t count, const void *codeptr)
{
    struct thread *th = me("work");
    (void)count, (void)codeptr;
    agree("work", task_data, parallel_data);
    entered("work");
    if (work == ompt_work_taskloop || th->current == NULL)
        return;
    CHECK(th->current->work == (endpoint == ompt_scope_begin ? 0 : (int)work),
          "work %d endpoint %d, open is %d", work, endpoint, th->current->work);
    th->current->work = endpoint == ompt_scope_begin ? (int)work : 0;
}

static void on_dispatch(ompt_data_t *parallel_data, ompt_data_t *task_data, ompt_dispatch_t kind,
                        ompt_data_t instance)
{
    me("dispatch");
    agree("dispatch", task_data, parallel_data);
    if (kind == ompt_dispatch_ws_loop_chunk)
        CHECK(((ompt_dispatch_chunk_t *)instance.ptr)->iterations > 0, "a chunk of no iterations");
}

/* ---- mutexes -------------------- */

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                             const void *codeptr)
{
    struct thread *th = me("mutex_acquire");
    (void)kind, (void)hint;
    CHECK(id != 0 && impl != 0, "mutex_acquire: no wait id or implementation");
    CHECK(codeptr != NULL, "mutex_acquire: no codeptr_ra");
    th->wanted = id;
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
    struct thread *th = me("mutex_acquired");
    (void)codeptr;
    CHECK(th->wanted == id, "mutex_acquired of kind %d without mutex_acquire", kind);
    th->wanted = 0;
    mutexes++;
    if (th->held_count < HELD)
        th->held[th->held_count++] = id;
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
    struct thread *th = me("mutex_released");
    (void)codeptr;
    mutexes--;
    for (int i = th->held_count - 1; i >= 0; i--)
        if (th->held[i] == id) {
            th->held[i] = th->held[--th->held_count];
            return;
        }
    /* A lock belongs to a task, which need not be on the thread that took it; the others to one thread. */
    CHECK(kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock,
          "release of a mutex of kind %d that is not held", kind);
}

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *codeptr)
{
    struct thread *th = me("nest_lock");
    (void)endpoint, (void)codeptr;
    for (int i = 0; i < th->held_count; i++)
        if (th->held[i] == id)
            return;
    violation("nest_lock of a lock that is not held");
}

static void on_cancel(ompt_data_t *task_data, int flags, const void *codeptr)
{
    me("cancel");
    (void)codeptr;
    CHECK(task_data->ptr != NULL, "cancel: a task that was not created");
    CHECK(flags & (ompt_cancel_activated | ompt_cancel_detected | ompt_cancel_discarded_task),
          "cancel: flags %x", (unsigned)flags);
    discarded += (flags & ompt_cancel_discarded_task) != 0;
    if (!(flags & ompt_cancel_discarded_task))
        entered("cancel");
}

/* ---- the tool -------------------- */

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
#define SET(name) set_callback(ompt_callback_##name, (ompt_callback_t)on_##name)
    SET(thread_begin), SET(thread_end), SET(parallel_begin), SET(parallel_end), SET(implicit_task);
    SET(task_create), SET(task_schedule), SET(dependences), SET(task_dependence), SET(sync_region);
    SET(sync_region_wait), SET(reduction), SET(masked), SET(work), SET(dispatch), SET(mutex_acquire);
    SET(mutex_acquired), SET(mutex_released), SET(nest_lock), SET(cancel);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    const char *path = getenv("EVENT_CHECK_OUT");
    FILE *out = path != NULL ? fopen(path, "a") : stderr;
    if (out == NULL)
        return;
    fprintf(out,
            "violations %ld events %ld open: threads %ld regions %ld implicit %ld tasks %ld mutexes %ld; "
            "syncs %ld "
            "discarded %ld dependences %ld created %ld\n%s",
            violations, events, threads, regions, implicits, tasks, mutexes, syncs, discarded, dependences,
            created, first_lines);
    if (out != stderr)
        fclose(out);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
