/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A tool that prints each callback as one line with all of its arguments: events_test.py compares that with
 * what the specification wants of the program. Threads, regions and tasks are called by the number that this
 * tool has put into their data words; a code address is printed as its distance from the program's begin, for
 * addr2line.
 */
#define _GNU_SOURCE
#include "trace_tool.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "omp-tools.h"

static int threads, regions, tasks, names;
static struct {
    const void *address;
    const char *name;
} named[32];

static ompt_set_callback_t set_callback;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_task_memory_t get_task_memory;
static ompt_enumerate_states_t enumerate_states;

/* ---- names -------------------- */

struct bit {
    unsigned bit;
    const char *name;
};

struct text {
    char text[160];
};

static struct text bits(unsigned value, const struct bit *list)
{
    struct text out = {""};
    for (; list->name != NULL; list++)
        if (value & list->bit) {
            strcat(strcat(out.text, *out.text != '\0' ? "|" : ""), list->name);
            value &= ~list->bit;
        }
    if (value != 0 || *out.text == '\0')
        sprintf(out.text + strlen(out.text), "%s%#x", *out.text != '\0' ? "|" : "", value);
    return out;
}

static const struct bit parallel_flags[] = {
    {1, "program"}, {2, "runtime"}, {0x40000000, "league"}, {0x80000000, "team"}, {0, NULL}};
static const struct bit task_flags[] = {{ompt_task_initial, "initial"},
                                        {ompt_task_implicit, "implicit"},
                                        {ompt_task_explicit, "explicit"},
                                        {ompt_task_target, "target"},
                                        {ompt_task_taskwait, "taskwait"},
                                        {ompt_task_undeferred, "undeferred"},
                                        {ompt_task_untied, "untied"},
                                        {ompt_task_final, "final"},
                                        {ompt_task_mergeable, "mergeable"},
                                        {ompt_task_merged, "merged"},
                                        {0, NULL}};
static const struct bit cancel_flags[] = {{ompt_cancel_parallel, "parallel"},
                                          {ompt_cancel_sections, "sections"},
                                          {ompt_cancel_loop, "loop"},
                                          {ompt_cancel_taskgroup, "taskgroup"},
                                          {ompt_cancel_activated, "activated"},
                                          {ompt_cancel_detected, "detected"},
                                          {ompt_cancel_discarded_task, "discarded_task"},
                                          {0, NULL}};
static const char *const endpoints[] = {"?", "begin", "end", "beginend"};
static const char *const mutexes[] = {"?",        "lock",   "test_lock", "nest_lock", "test_nest_lock",
                                      "critical", "atomic", "ordered"};
static const char *const syncs[] = {"?",
                                    "barrier",
                                    "barrier_implicit",
                                    "barrier_explicit",
                                    "barrier_implementation",
                                    "taskwait",
                                    "taskgroup",
                                    "reduction",
                                    "barrier_implicit_workshare",
                                    "barrier_implicit_parallel",
                                    "barrier_teams"};
static const char *const works[] = {
    "?",        "loop",  "sections",       "single_executor", "single_other", "workshare",   "distribute",
    "taskloop", "scope", "workdistribute", "loop_static",     "loop_dynamic", "loop_guided", "loop_other"};
static const char *const dispatches[] = {
    "?", "iteration", "section", "ws_loop_chunk", "taskloop_chunk", "distribute_chunk"};
static const char *const statuses[] = {
    "?",      "complete",         "yield", "cancel", "detach", "early_fulfill", "late_fulfill",
    "switch", "taskwait_complete"};
static const char *const thread_types[] = {"?", "initial", "worker", "other", "unknown"};
#define NAME(list, number) \
    ((unsigned)(number) < sizeof(list) / sizeof *(list) ? (list)[number] : "out of range")

static const char *state_name(int state)
{
    const char *name;
    for (int at = ompt_state_undefined; enumerate_states(at, &at, &name);)
        if (at == state)
            return name + strlen("ompt_state_");
    return state == ompt_state_undefined ? "undefined" : "unknown state";
}

/** An object's or a code's address. */
static struct text address(const void *where)
{
    struct text out;
    Dl_info info;
    for (int i = 0; i < names; i++)
        if (named[i].address == where) {
            snprintf(out.text, sizeof out.text, "%s", named[i].name);
            return out;
        }
    if (where != NULL && dladdr(where, &info) != 0)
        snprintf(out.text, sizeof out.text, "@%lx",
                 (unsigned long)((uintptr_t)where - (uintptr_t)info.dli_fbase));
    else
        strcpy(out.text, where != NULL ? "somewhere" : "nowhere");
    return out;
}

static struct text datum(char kind, const ompt_data_t *data)
{
    struct text out;
    if (data == NULL)
        strcpy(out.text, "NULL");
    else
        snprintf(out.text, sizeof out.text, "%c%d", kind, (int)data->value);
    return out;
}
#define REGION(data) datum('P', data).text
#define TASK(data)   datum('K', data).text

static void number(ompt_data_t *data, int *last)
{
    if (data->value != 0)
        printf("a new data word is not none\n");
    data->value = (uint64_t)++ * last;
}

/* ---- output -------------------- */

/* The stream is locked for a whole line: the program prints into it too. */
static void begin_line(const char *event)
{
    flockfile(stdout);
    const ompt_data_t *data = get_thread_data();
    printf("T%d %s", data != NULL ? (int)data->value : 0, event);
}

__attribute__((format(printf, 1, 2))) static void end_line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    funlockfile(stdout);
}

/** That a task's frame is the one of the inquiry function, and what is set in it. */
static const char *frame_text(const ompt_frame_t *frame)
{
    ompt_frame_t *same = NULL;
    get_task_info(0, NULL, NULL, &same, NULL, NULL);
    if (frame != same)
        return "another";
    if ((frame->exit_frame.ptr != NULL &&
         (frame->exit_frame_flags & ~ompt_frame_application) != ompt_frame_framepointer) ||
        (frame->enter_frame.ptr != NULL && frame->enter_frame_flags != ompt_frame_framepointer))
        return "flags";
    return frame->exit_frame.ptr != NULL    ? frame->enter_frame.ptr != NULL ? "exit,enter" : "exit"
           : frame->enter_frame.ptr != NULL ? "enter"
                                            : "none";
}

/** Of the task that the thread is in. */
static const char *own_frame(void)
{
    ompt_frame_t *frame = NULL;
    get_task_info(0, NULL, NULL, &frame, NULL, NULL);
    return frame_text(frame);
}

void trace_name(const void *at, const char *name)
{
    named[names].address = at;
    named[names++].name = name;
}

void trace_here(const char *where, uintptr_t frame, uintptr_t outer)
{
    ompt_wait_id_t id;
    ompt_data_t *data, *region;
    ompt_frame_t *now;
    int size, flags, num, level;
    uintptr_t inner = frame;
    void *block;
    size_t bytes;
    begin_line("here ");
    printf("%s: %s;", where, state_name(get_state(&id)));
    for (level = 0; get_parallel_info(level, &region, &size) == 2; level++)
        printf(" %s of %d", REGION(region), size);
    for (level = 0; get_task_info(level, &flags, &data, &now, &region, &num) == 2; level++) {
        uintptr_t exit = (uintptr_t)now->exit_frame.ptr, enter = (uintptr_t)now->enter_frame.ptr;
        printf("; %s %s %s thread %d", TASK(data), bits((unsigned)flags, task_flags).text, REGION(region),
               num);
        /*
         * The stack grows down: user code | exit of its task | enter of the task below | that task's user
         * code.
         */
        if (exit != 0)
            printf(exit < inner                                     ? " exit:misplaced"
                   : now->exit_frame_flags & ompt_frame_application ? " exit:own"
                                                                    : " exit");
        if (enter != 0)
            printf(level == 0 || (outer != 0 && level == 1 && (enter < inner || enter >= outer))
                       ? " enter:misplaced"
                       : " enter");
        inner = exit;
    }
    int more = get_task_memory(&block, &bytes, 0);
    int inside = frame >= (uintptr_t)block && frame < (uintptr_t)block + bytes;
    end_line("; memory %s%s%s",
             block != NULL && bytes > 0    ? "yes"
             : block == NULL && bytes == 0 ? "no"
                                           : "odd",
             more ? " more" : "", inside ? " on the stack" : "");
}

/* ---- callbacks -------------------- */

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
    flockfile(stdout);
    number(data, &threads);
    funlockfile(stdout);
    begin_line("thread_begin");
    end_line(" %s", NAME(thread_types, type));
}

static void on_thread_end(ompt_data_t *data)
{
    begin_line("thread_end");
    end_line("%s", data == get_thread_data() ? "" : " of another");
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *data,
                              unsigned requested, int flags, const void *codeptr)
{
    begin_line("parallel_begin");
    number(data, &regions);
    end_line(" %s by %s frame %s requested %u %s %s", REGION(data), TASK(task), frame_text(frame), requested,
             bits((unsigned)flags, parallel_flags).text, address(codeptr).text);
}

static void on_parallel_end(ompt_data_t *data, ompt_data_t *task, int flags, const void *codeptr)
{
    begin_line("parallel_end");
    end_line(" %s by %s %s %s", REGION(data), TASK(task), bits((unsigned)flags, parallel_flags).text,
             address(codeptr).text);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                             unsigned parallelism, unsigned index, int flags)
{
    begin_line("implicit_task ");
    if (endpoint == ompt_scope_begin) {
        number(task, &tasks);
        if (flags & ompt_task_initial && region->value == 0)
            number(region, &regions);
    }
    end_line("%s %s %s %u of %u %s", NAME(endpoints, endpoint), TASK(task), REGION(region), index,
             parallelism, bits((unsigned)flags, task_flags).text);
}

static void on_task_create(ompt_data_t *by, const ompt_frame_t *frame, ompt_data_t *data, int flags,
                           int has_dependences, const void *codeptr)
{
    begin_line("task_create");
    number(data, &tasks);
    end_line(" %s by %s frame %s %s%s %s", TASK(data), TASK(by), frame_text(frame),
             bits((unsigned)flags, task_flags).text, has_dependences ? " dependences" : "",
             address(codeptr).text);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    begin_line("task_schedule");
    end_line(" %s %s to %s", TASK(prior), NAME(statuses, status), TASK(next));
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *deps, int n)
{
    static const char *const types[] = {"?",      "in",   "out",     "inout", "mutexinoutset",
                                        "source", "sink", "inoutset"};
    begin_line("dependences ");
    printf("%s", TASK(task));
    for (int i = 0; i < n; i++)
        if (deps[i].dependence_type == ompt_dependence_type_source ||
            deps[i].dependence_type == ompt_dependence_type_sink)
            printf(" %s:%d", NAME(types, deps[i].dependence_type), (int)deps[i].variable.value);
        else
            printf(" %s:%s",
                   deps[i].dependence_type == ompt_dependence_type_inout_all_memory ? "inout_all_memory"
                   : deps[i].dependence_type == ompt_dependence_type_out_all_memory
                       ? "out_all_memory"
                       : NAME(types, deps[i].dependence_type),
                   address(deps[i].variable.ptr).text);
    end_line(" ");
}

static void on_task_dependence(ompt_data_t *from, ompt_data_t *to)
{
    begin_line("task_dependence");
    end_line(" %s before %s", TASK(from), TASK(to));
}

/** Only a wait has a state of its own that is told here. */
static void sync_line(const char *event, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                      const ompt_data_t *region, const ompt_data_t *task, const void *codeptr)
{
    ompt_wait_id_t id;
    ompt_frame_t *frame = NULL;
    int state = get_state(&id);
    get_task_info(0, NULL, NULL, &frame, NULL, NULL);
    begin_line(event);
    printf(" %s %s %s %s %s", NAME(syncs, kind), NAME(endpoints, endpoint), REGION(region), TASK(task),
           address(codeptr).text);
    if (endpoint == ompt_scope_begin)
        printf(" frame %s", frame_text(frame));
    if (endpoint == ompt_scope_begin && strcmp(event, "sync_region_wait") == 0)
        printf(" state %s", state_name(state));
    end_line(" ");
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                           ompt_data_t *task, const void *codeptr)
{
    sync_line("sync_region", kind, endpoint, region, task, codeptr);
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                                ompt_data_t *task, const void *codeptr)
{
    sync_line("sync_region_wait", kind, endpoint, region, task, codeptr);
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                         ompt_data_t *task, const void *codeptr)
{
    sync_line("reduction", kind, endpoint, region, task, codeptr);
}

static void mutex_line(const char *event, ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
    begin_line(event);
    end_line(" %s %s %s", NAME(mutexes, kind), address((const void *)(uintptr_t)id).text,
             address(codeptr).text);
}

static void acquire_line(const char *event, ompt_mutex_t kind, unsigned hint, unsigned impl,
                         ompt_wait_id_t id, const void *codeptr)
{
    begin_line(event);
    end_line(" %s hint %u impl %u %s %s", NAME(mutexes, kind), hint, impl,
             address((const void *)(uintptr_t)id).text, address(codeptr).text);
}

#define ACQUIRE(name)                                                                         \
    static void on_##name(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, \
                          const void *codeptr)                                                \
    {                                                                                         \
        acquire_line(#name, kind, hint, impl, id, codeptr);                                   \
    }
#define MUTEX(name)                                                                  \
    static void on_##name(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr) \
    {                                                                                \
        mutex_line(#name, kind, id, codeptr);                                        \
    }
ACQUIRE(mutex_acquire)
ACQUIRE(lock_init)
MUTEX(mutex_acquired)
MUTEX(mutex_released)
MUTEX(lock_destroy)

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *codeptr)
{
    begin_line("nest_lock");
    end_line(" %s %s %s", NAME(endpoints, endpoint), address((const void *)(uintptr_t)id).text,
             address(codeptr).text);
}

static void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                    uint64_t count, const void *codeptr)
{
    begin_line("work");
    end_line(" %s %s %s %s count %d %s", NAME(works, type), NAME(endpoints, endpoint), REGION(region),
             TASK(task), (int)count, address(codeptr).text);
}

static void on_dispatch(ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
    begin_line("dispatch");
    printf(" %s %s %s ", NAME(dispatches, kind), REGION(region), TASK(task));
    if (kind == ompt_dispatch_section) {
        end_line("%s", address(instance.ptr).text);
    } else {
        const ompt_dispatch_chunk_t *chunk = instance.ptr;
        end_line("%d + %d", (int)chunk->start, (int)chunk->iterations);
    }
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                      const void *codeptr)
{
    begin_line("masked");
    end_line(" %s %s %s %s", NAME(endpoints, endpoint), REGION(region), TASK(task), address(codeptr).text);
}

static void on_flush(ompt_data_t *thread, const void *codeptr)
{
    begin_line("flush");
    end_line(" %s%s", address(codeptr).text, thread == get_thread_data() ? "" : " of another thread");
}

static void on_cancel(ompt_data_t *task, int flags, const void *codeptr)
{
    begin_line("cancel");
    end_line(" %s %s %s frame %s", TASK(task), bits((unsigned)flags, cancel_flags).text,
             address(codeptr).text, own_frame());
}

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *codeptr)
{
    begin_line("error");
    end_line(" %s '%s' %d %s frame %s", severity == ompt_warning ? "warning" : "fatal",
             message != NULL ? message : "NULL", (int)length, address(codeptr).text, own_frame());
}

static int on_control_tool(uint64_t command, uint64_t modifier, void *argument, const void *codeptr)
{
    if (command == 64) {
        flockfile(stdout);
        printf("== %s", (const char *)argument);
        end_line(" ");
        return 0;
    }
    begin_line("control_tool");
    end_line(" %d %d '%s' %s frame %s", (int)command, (int)modifier,
             argument != NULL ? (const char *)argument : "NULL", address(codeptr).text, own_frame());
    return (int)command + 1000;
}

/* ---- the tool -------------------- */

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_task_memory = (ompt_get_task_memory_t)lookup("ompt_get_task_memory");
    enumerate_states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
#define SET(name) set_callback(ompt_callback_##name, (ompt_callback_t)on_##name)
    SET(thread_begin), SET(thread_end), SET(parallel_begin), SET(parallel_end), SET(implicit_task);
    SET(task_create), SET(task_schedule), SET(dependences), SET(task_dependence), SET(sync_region);
    SET(sync_region_wait), SET(reduction), SET(mutex_acquire), SET(mutex_acquired), SET(mutex_released);
    SET(lock_init), SET(lock_destroy), SET(nest_lock), SET(work), SET(dispatch), SET(masked), SET(flush);
    SET(cancel), SET(error), SET(control_tool);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    flockfile(stdout); /* not into the line of a worker that still reports */
    printf("== finalized");
    end_line(" ");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
