/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A tool of 2016: ompt_tool, and a judge of what comes. It knows ompt-draft.h alone.
 *
 * On each thread begins and ends nest; ids are those that the inquiry functions give at that moment; a thread
 * that must wait is in the state, with the wait id, that the event names.
 *
 * TOOL=null: it does not want to be used. TOOL=print: one line for each step of the handshake.
 */
#define _GNU_SOURCE
#include "draft_tool.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Atomic long draft_counts[DRAFT_TOOL_EVENTS];
_Atomic int draft_asked, draft_violations;
struct draft_functions draft;
static _Atomic int shut_down;

void draft_violation(const char *file, int line, const char *what)
{
    if (draft_violations++ < 10)
        fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

/* ---- begins and ends of a thread -------------------- */

enum { DEEP = 256 };
static _Thread_local struct {
    int depth, event[DEEP];
    uint64_t id[DEEP];
} open_now;

static void begins(int event, uint64_t id)
{
    draft_counts[event]++;
    DRAFT_MUST(!shut_down);
    DRAFT_MUST(id != 0 && open_now.depth < DEEP);
    open_now.event[open_now.depth] = event;
    open_now.id[open_now.depth++] = id;
}

static void ends(int event, uint64_t id)
{
    draft_counts[event]++;
    DRAFT_MUST(!shut_down);
    if (open_now.depth == 0 || open_now.event[open_now.depth - 1] != event - 1 ||
        open_now.id[open_now.depth - 1] != id) {
        fprintf(stderr, "event %d ends %d\n", event, open_now.depth ? open_now.event[open_now.depth - 1] : 0);
        draft_violation(__FILE__, __LINE__, "the innermost open one ends");
    } else {
        open_now.depth--;
    }
}

/** Events of (region, task), a pair named by its begin. */
#define IN_REGION(event)                                                                \
    static void on_##event##_begin(ompt_parallel_id_t region, ompt_task_id_t task)      \
    {                                                                                   \
        begins(ompt_event_##event##_begin, task);                                       \
        DRAFT_MUST(region == draft.get_parallel_id(0) && task == draft.get_task_id(0)); \
    }                                                                                   \
    static void on_##event##_end(ompt_parallel_id_t region, ompt_task_id_t task)        \
    {                                                                                   \
        (void)region;                                                                   \
        ends(ompt_event_##event##_end, task);                                           \
    }
IN_REGION(wait_barrier)
IN_REGION(wait_taskwait)
IN_REGION(wait_taskgroup)
IN_REGION(implicit_task)
IN_REGION(initial_task)
IN_REGION(loop)
IN_REGION(sections)
IN_REGION(single_in_block)
IN_REGION(single_others)
IN_REGION(workshare)
IN_REGION(master)
IN_REGION(barrier)
IN_REGION(taskwait)
IN_REGION(taskgroup)

/* ---- threads, regions, tasks -------------------- */

static void on_thread_begin(ompt_thread_type_t type, ompt_thread_id_t id)
{
    begins(ompt_event_thread_begin, id);
    DRAFT_MUST(id == draft.get_thread_id());
    DRAFT_MUST(type == ompt_thread_initial || type == ompt_thread_worker);
}

static void on_thread_end(ompt_thread_type_t type, ompt_thread_id_t id)
{
    (void)type;
    ends(ompt_event_thread_end, id);
}

static void on_idle_begin(ompt_thread_id_t id)
{
    begins(ompt_event_idle_begin, id);
    DRAFT_MUST(draft.get_state(NULL) == ompt_state_idle);
}

static void on_idle_end(ompt_thread_id_t id)
{
    ends(ompt_event_idle_end, id);
}

static void on_parallel_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_parallel_id_t region,
                              uint32_t asked_for, void *function, ompt_invoker_t invoker)
{
    begins(ompt_event_parallel_begin, region);
    DRAFT_MUST(parent == draft.get_task_id(0) && frame == draft.get_task_frame(0));
    DRAFT_MUST(frame->enter_frame != NULL);
    DRAFT_MUST(asked_for > 0 && (function != NULL) == (invoker == ompt_invoker_runtime));
}

static void on_parallel_end(ompt_parallel_id_t region, ompt_task_id_t task, ompt_invoker_t invoker)
{
    ends(ompt_event_parallel_end, region);
    DRAFT_MUST(task == draft.get_task_id(0));
    DRAFT_MUST(invoker == ompt_invoker_runtime || invoker == ompt_invoker_program);
}

static void on_task_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_task_id_t task, void *function)
{
    draft_counts[ompt_event_task_begin]++;
    DRAFT_MUST(parent == draft.get_task_id(0) && frame == draft.get_task_frame(0));
    DRAFT_MUST(task != 0 && task != parent && function != NULL);
}

static void on_task_end(ompt_task_id_t task)
{
    draft_counts[ompt_event_task_end]++;
    DRAFT_MUST(task != 0);
}

static void on_task_switch(ompt_task_id_t first, ompt_task_id_t second)
{
    draft_counts[ompt_event_task_switch]++;
    DRAFT_MUST(first != second && second == draft.get_task_id(0));
}

static void on_control(uint64_t command, uint64_t modifier)
{
    draft_counts[ompt_event_control]++;
    DRAFT_MUST(command == 64 && modifier == 5);
}

static void on_runtime_shutdown(void)
{
    draft_counts[ompt_event_runtime_shutdown]++;
    shut_down = 1;
    DRAFT_MUST(open_now.depth == 0);
    for (int event = ompt_event_thread_begin; event <= ompt_event_idle_begin; event += 4)
        DRAFT_MUST(draft_counts[event] == draft_counts[event + 1]);
    if (getenv("TOOL") != NULL)
        printf("shutdown violations %d\n", (int)draft_violations);
    if (draft_violations != 0)
        _Exit(3);
}

static void on_flush(ompt_thread_id_t id)
{
    draft_counts[ompt_event_flush]++;
    DRAFT_MUST(id == draft.get_thread_id());
}

/* ---- mutexes -------------------- */

#define MUTEX(event)                        \
    static void on_##event(uint64_t id)     \
    {                                       \
        draft_counts[ompt_event_##event]++; \
        DRAFT_MUST(id != 0);                \
    }
#define MUTEX_WAIT(event)                                                                   \
    static void on_##event(uint64_t id)                                                     \
    {                                                                                       \
        ompt_wait_id_t now = 0;                                                             \
        DRAFT_MUST(draft.get_state(&now) == ompt_state_##event);                            \
        DRAFT_MUST(id != 0 && now == id);                                                   \
        draft_counts[ompt_event_##event]++; /* last: who is waited for goes on upon that */ \
    }
MUTEX(release_lock)
MUTEX(release_nest_lock_last)
MUTEX(release_critical)
MUTEX(release_atomic)
MUTEX(release_ordered)
MUTEX(release_nest_lock_prev)
MUTEX_WAIT(wait_lock)
MUTEX_WAIT(wait_nest_lock)
MUTEX_WAIT(wait_critical)
MUTEX_WAIT(wait_atomic)
MUTEX_WAIT(wait_ordered)
MUTEX(acquired_lock)
MUTEX(acquired_nest_lock_first)
MUTEX(acquired_nest_lock_next)
MUTEX(acquired_critical)
MUTEX(acquired_atomic)
MUTEX(acquired_ordered)
MUTEX(init_lock)
MUTEX(init_nest_lock)
MUTEX(destroy_lock)
MUTEX(destroy_nest_lock)

/* ---- the handshake -------------------- */

#define AT(event)      [ompt_event_##event] = (ompt_callback_t)on_##event
#define AT_PAIR(event) AT(event##_begin), AT(event##_end)
static const ompt_callback_t callbacks[DRAFT_TOOL_EVENTS] = {
    AT_PAIR(parallel),
    AT_PAIR(task),
    AT_PAIR(thread),
    AT(control),
    AT(runtime_shutdown),
    AT_PAIR(idle),
    AT_PAIR(wait_barrier),
    AT_PAIR(wait_taskwait),
    AT_PAIR(wait_taskgroup),
    AT(release_lock),
    AT(release_nest_lock_last),
    AT(release_critical),
    AT(release_atomic),
    AT(release_ordered),
    AT_PAIR(implicit_task),
    AT_PAIR(initial_task),
    AT(task_switch),
    AT_PAIR(loop),
    AT_PAIR(sections),
    AT_PAIR(single_in_block),
    AT_PAIR(single_others),
    AT_PAIR(workshare),
    AT_PAIR(master),
    AT_PAIR(barrier),
    AT_PAIR(taskwait),
    AT_PAIR(taskgroup),
    AT(release_nest_lock_prev),
    AT(wait_lock),
    AT(wait_nest_lock),
    AT(wait_critical),
    AT(wait_atomic),
    AT(wait_ordered),
    AT(acquired_lock),
    AT(acquired_nest_lock_first),
    AT(acquired_nest_lock_next),
    AT(acquired_critical),
    AT(acquired_atomic),
    AT(acquired_ordered),
    AT(init_lock),
    AT(init_nest_lock),
    AT(destroy_lock),
    AT(destroy_nest_lock),
    AT(flush),
};

static int is(const char *value)
{
    const char *now = getenv("TOOL");
    return now != NULL && strcmp(now, value) == 0;
}

/** The seed's functions and those of the time's runtimes; each by look-up and by nothing else. */
static const char *const names[] = {
    "ompt_enumerate_state", "ompt_set_callback",  "ompt_get_callback",      "ompt_get_idle_frame",
    "ompt_get_task_frame",  "ompt_get_state",     "ompt_get_parallel_id",   "ompt_get_parallel_team_size",
    "ompt_get_task_id",     "ompt_get_thread_id", "ompt_get_parallel_info", "ompt_get_task_info",
    "ompt_get_target_info", "ompt_idle",          "ompt_overhead",          "ompt_barrier_wait",
    "ompt_task_wait",       "ompt_mutex_wait",
};
enum { NAMES = sizeof names / sizeof *names };

static void print_handshake(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    int found = 0, global = 0, next, state;
    const char *name;
    for (int i = 0; i < NAMES; i++) {
        found += lookup(names[i]) != NULL;
        global += dlsym(RTLD_DEFAULT, names[i]) != NULL;
    }
    printf("initialize %s version %u names %d global %d unknown %d\n",
           strstr(runtime, "Companion") != NULL ? "Companion" : runtime, version, found, global,
           (lookup("ompt_get_thread_data") != NULL) + (lookup("ompt_finalize_tool") != NULL) +
               (lookup("") != NULL) + (lookup("omp_get_thread_num") != NULL));
    printf("states");
    for (state = ompt_state_first; draft.enumerate_state(state, &next, &name); state = next)
        printf(" %s=%x", name + strlen("ompt_state_"), (unsigned)next);
    printf("\n");
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    draft = (struct draft_functions){
        (ompt_set_callback_t)lookup("ompt_set_callback"),
        (ompt_get_callback_t)lookup("ompt_get_callback"),
        (ompt_enumerate_state_t)lookup("ompt_enumerate_state"),
        (ompt_get_thread_id_t)lookup("ompt_get_thread_id"),
        (ompt_get_state_t)lookup("ompt_get_state"),
        (ompt_get_idle_frame_t)lookup("ompt_get_idle_frame"),
        (ompt_get_parallel_id_t)lookup("ompt_get_parallel_id"),
        (ompt_get_parallel_team_size_t)lookup("ompt_get_parallel_team_size"),
        (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info"),
        (ompt_get_task_id_t)lookup("ompt_get_task_id"),
        (ompt_get_task_frame_t)lookup("ompt_get_task_frame"),
        (ompt_get_task_info_t)lookup("ompt_get_task_info"),
        (ompt_get_target_info_t)lookup("ompt_get_target_info"),
    };
    if (is("print"))
        print_handshake(lookup, runtime, version);
    if (is("print"))
        printf("answers");
    for (int event = 0; event < DRAFT_TOOL_EVENTS; event++) {
        ompt_callback_t back = NULL, mine = callbacks[event];
        int answer = draft.set_callback((ompt_event_t)event, mine);
        int got = draft.get_callback((ompt_event_t)event, &back);
        DRAFT_MUST(got == (answer >= 3 && mine != NULL) && (!got || back == mine));
        if (is("print"))
            printf(" %d", answer);
    }
    if (is("print"))
        printf("\n");
}

ompt_initialize_fn_t ompt_tool(void)
{
    draft_asked++;
    if (getenv("TOOL") != NULL)
        printf("ompt_tool %d\n", (int)draft_asked);
    return is("null") ? NULL : initialize;
}
