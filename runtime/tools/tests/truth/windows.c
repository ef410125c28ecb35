/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * To be preloaded: opens every window of the runtime at once. On a byte on standard input each thread of
 * the process is signalled; its handler asks every window about its own thread, and parks. Then one line
 * for each thread is written to standard error, and one that begins with `events`: how many each window
 * has told.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abt_tool.h"
#include "answers.h"
#include "omp-tools.h"
#include "omp_collector_api.h"

/* ---- OMPT -------------------- */

static ompt_get_state_t get_state;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_thread_data_t get_thread_data;
static long ompt_events;

static int64_t number(const void *pointer)
{
    return (int64_t)(uintptr_t)pointer;
}

/* A region, a task and a thread are the tool's word for them: the same word is the same thing. */
static int ompt_ask(struct answer *answers)
{
    ompt_wait_id_t wait = 0;
    ompt_data_t *task = NULL, *region = NULL;
    int num = -1, size = -1, state = get_state(&wait);
    if (get_task_info(0, NULL, &task, NULL, NULL, &num) == 0)
        task = NULL, num = -1;
    if (get_parallel_info(0, &region, &size) == 0)
        region = NULL, size = -1;
    const struct answer all[] = {{"ompt_state", state},
                                 {"ompt_wait", (int64_t)wait},
                                 {"ompt_thread", number(get_thread_data())},
                                 {"ompt_task", task != NULL ? number(task) : -1},
                                 {"ompt_thread_num", num},
                                 {"ompt_region", region != NULL ? number(region) : -1},
                                 {"ompt_team_size", size}};
    memcpy(answers, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void on_ompt_event(void)
{
    __atomic_fetch_add(&ompt_events, 1, __ATOMIC_RELAXED);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    for (int event = 1; event <= 37; event++)
        set_callback((ompt_callbacks_t)event, (ompt_callback_t)on_ompt_event);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

/* ---- collector -------------------- */

static int (*collector)(void *list);
static long collector_events;

struct request {
    int size, request, code, answered;
    char mem[12];
    int end;
};

static struct request collect(int request, const void *arguments, size_t bytes)
{
    struct request list = {(int)sizeof list - (int)sizeof list.end, request, -7, -7, {0}, 0};
    memcpy(list.mem, arguments, bytes);
    collector(&list);
    return list;
}

static int collector_ask(struct answer *answers)
{
    int state;
    int64_t wait, region;
    struct request reply = collect(OMP_REQ_STATE, "", 0);
    memcpy(&state, reply.mem, sizeof state);
    memcpy(&wait, reply.mem + sizeof state, sizeof wait);
    answers[0] = (struct answer){"collector_state", reply.code == OMP_ERRCODE_OK ? state : -1};
    answers[1] = (struct answer){"collector_wait", wait};
    reply = collect(OMP_REQ_CURRENT_PRID, "", 0);
    memcpy(&region, reply.mem, sizeof region);
    answers[2] = (struct answer){"collector_region", reply.code == OMP_ERRCODE_OK ? region : -1};
    return 3;
}

static void on_collector_event(OMP_COLLECTORAPI_EVENT event)
{
    (void)event;
    __atomic_fetch_add(&collector_events, 1, __ATOMIC_RELAXED);
}

static void collector_open(void)
{
    char arguments[12];
    OMP_COLLECTORAPI_CALLBACK callback = on_collector_event;
    collector = (int (*)(void *))dlsym(RTLD_DEFAULT, OMP_COLLECTOR_API);
    if (collector == NULL || collect(OMP_REQ_START, "", 0).code != OMP_ERRCODE_OK)
        abort();
    for (int event = 1; event <= 22; event++) {
        memcpy(arguments, &event, sizeof event);
        memcpy(arguments + sizeof event, &callback, sizeof callback);
        collect(OMP_REQ_REGISTER, arguments, sizeof arguments);
    }
}

/* ---- work units: this window has no inquiry of states, so each last event is kept -------------------- */

#define UNITS 4096
static struct {
    ABT_thread unit;
    int64_t state; /* 0 none, 1 running, 2 blocked, as ABT_thread_state */
    int64_t sync_type;
    void *object;
} units[UNITS];
static long unit_events;

/** A unit's place, by its address; places are never given back, as the runtime's slots have few addresses. */
static int place_of(ABT_thread unit)
{
    for (unsigned i = 0, at = (unsigned)((uintptr_t)unit >> 6); i < UNITS; i++, at++) {
        ABT_thread none = NULL;
        if (__atomic_load_n(&units[at % UNITS].unit, __ATOMIC_ACQUIRE) == unit ||
            __atomic_compare_exchange_n(&units[at % UNITS].unit, &none, unit, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE) ||
            none == unit)
            return (int)(at % UNITS);
    }
    abort();
}

static void on_unit_event(ABT_thread unit, ABT_xstream stream, uint64_t event, ABT_tool_context context,
                          void *none)
{
    int at = place_of(unit);
    ABT_sync_event_type type = ABT_SYNC_EVENT_TYPE_UNKNOWN;
    void *object = NULL;
    (void)stream, (void)none;
    __atomic_fetch_add(&unit_events, 1, __ATOMIC_RELAXED);
    if (event == ABT_TOOL_EVENT_THREAD_SUSPEND) {
        ABT_tool_query_thread(context, event, ABT_TOOL_QUERY_KIND_SYNC_OBJECT_TYPE, &type);
        ABT_tool_query_thread(context, event, ABT_TOOL_QUERY_KIND_SYNC_OBJECT_HANDLE, &object);
    }
    units[at].state = event == ABT_TOOL_EVENT_THREAD_RUN ? 1 : event == ABT_TOOL_EVENT_THREAD_SUSPEND ? 2 : 0;
    units[at].sync_type = type;
    units[at].object = object;
}

/* A thread of the program runs its first unit since before there was an event. */
static int unit_ask(struct answer *answers)
{
    ABT_thread self = NULL;
    ABT_xstream stream = NULL;
    int rank = -1, at = -1;
    if (ABT_thread_self(&self) == ABT_SUCCESS)
        at = place_of(self);
    if (ABT_xstream_self(&stream) == ABT_SUCCESS)
        ABT_xstream_get_rank(stream, &rank);
    const struct answer all[] = {{"unit_task", self != NULL ? number(self) : -1},
                                 {"unit_thread", rank},
                                 {"unit_state", at < 0                 ? 0
                                                : units[at].state == 0 ? 1
                                                                       : units[at].state},
                                 {"unit_sync", at >= 0 ? units[at].sync_type : 0},
                                 {"unit_wait", at >= 0 ? number(units[at].object) : 0}};
    memcpy(answers, all, sizeof all);
    return sizeof all / sizeof *all;
}

/* ---- the windows, and the threads that are asked -------------------- */

static const struct {
    const char *name;
    int (*ask)(struct answer *answers);
} windows[] = {{"ompt", ompt_ask}, {"draft", draft_ask}, {"collector", collector_ask}, {"unit", unit_ask}};
enum { WINDOWS = sizeof windows / sizeof *windows, THREADS = 64 };

static struct {
    int tid, count[WINDOWS];
    struct answer answers[WINDOWS][ANSWERS];
} asked[THREADS];
static int slots, answered;

static void on_signal(int signal)
{
    int slot = __atomic_fetch_add(&slots, 1, __ATOMIC_SEQ_CST);
    (void)signal;
    if (slot < THREADS) {
        asked[slot].tid = (int)syscall(SYS_gettid);
        for (int i = 0; i < WINDOWS; i++)
            asked[slot].count[i] = windows[i].ask(asked[slot].answers[i]);
    }
    __atomic_fetch_add(&answered, 1, __ATOMIC_SEQ_CST);
    for (;;)
        pause();
}

static int signal_all(int self)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        int tid = (int)strtol(entry->d_name, NULL, 10);
        if (tid > 0 && tid != self && syscall(SYS_tgkill, getpid(), tid, SIGUSR1) == 0)
            count++;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void *asker(void *none)
{
    char byte;
    int self = (int)syscall(SYS_gettid), count;
    if (read(STDIN_FILENO, &byte, 1) != 1)
        return none;
    count = signal_all(self);
    while (__atomic_load_n(&answered, __ATOMIC_SEQ_CST) < count)
        usleep(1000);
    for (int i = 0; i < count && i < THREADS; i++) {
        fprintf(stderr, "tid=%d", asked[i].tid);
        for (int w = 0; w < WINDOWS; w++)
            for (int k = 0; k < asked[i].count[w]; k++)
                fprintf(stderr, " %s=%lld", asked[i].answers[w][k].name,
                        (long long)asked[i].answers[w][k].value);
        fputc('\n', stderr);
    }
    fprintf(stderr, "events asker=%d ompt=%ld draft=%ld collector=%ld unit=%ld\n", self, ompt_events,
            draft_events(), collector_events, unit_events);
    for (;;)
        pause();
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t id;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    collector_open();
    if (ABT_tool_register_thread_callback(on_unit_event, ABT_TOOL_EVENT_THREAD_ALL, NULL) != ABT_SUCCESS)
        abort();
    pthread_create(&id, NULL, asker, NULL);
}
