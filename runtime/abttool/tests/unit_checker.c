/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A tool of the Argobots tool interface that asserts what a work unit's life may be: each event takes the
 * unit from one state to the next, a thread runs one unit at a time, units lie on each other as the stack
 * depth says, and each query answers for the events that it is for and for no other. It knows nothing of the
 * runtime but abt_tool.h.
 *
 * To be preloaded. $UNIT_CHECK_OUT gets its counts as they change (struct counts, 64-bit words), so they are
 * there after a crash too; a line for each of the first violations goes to stderr.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abt_tool.h"

enum state { NONE, READY, RUNNING, BLOCKED, FINISHED, JOINED };

struct unit {
    struct unit *next;
    ABT_thread handle;
    enum state state;
    struct stream *stream; /* on whose stack it lies */
};

struct stream {
    struct stream *next;
    ABT_xstream handle;
    struct unit *running;
    int depth;
};

/* In the order in which unit_test.py reads them: events by bit, then these. */
static struct counts {
    uint64_t events[12], violations, unnamed, units, sync_types[11], registered;
} * counts;

#define LISTS 1024
static struct unit *units[LISTS];
static struct stream *streams;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((format(printf, 1, 2))) static void violation(const char *format, ...)
{
    va_list args;
    if (counts->violations++ >= 20)
        return;
    va_start(args, format);
    fputs("unit_checker: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

#define CHECK(condition, ...)       \
    do {                            \
        if (!(condition))           \
            violation(__VA_ARGS__); \
    } while (0)

static struct unit **find(ABT_thread handle)
{
    struct unit **at = &units[((uintptr_t)handle >> 6) % LISTS];
    while (*at != NULL && (*at)->handle != handle)
        at = &(*at)->next;
    if (*at == NULL) {
        *at = calloc(1, sizeof **at);
        (*at)->handle = handle;
        counts->units++;
    }
    return at;
}

static struct stream *stream_of(ABT_xstream handle)
{
    struct stream *stream = streams;
    while (stream != NULL && stream->handle != handle)
        stream = stream->next;
    if (stream != NULL)
        return stream;
    stream = calloc(1, sizeof *stream);
    *stream = (struct stream){streams, handle, NULL, 0};
    return streams = stream;
}

/* ---- the queries -------------------- */

#define BIT(name) ABT_TOOL_EVENT_THREAD_##name
static const uint64_t valid_for[6] = {
    BIT(CREATE) | BIT(REVIVE) | BIT(YIELD) | BIT(RESUME),
    BIT(RUN) | BIT(FINISH) | BIT(YIELD) | BIT(SUSPEND),
    ABT_TOOL_EVENT_THREAD_ALL,
    ABT_TOOL_EVENT_THREAD_ALL & ~(uint64_t)BIT(CANCEL),
    BIT(YIELD) | BIT(SUSPEND),
    BIT(YIELD) | BIT(SUSPEND),
};

static void queries(ABT_tool_context context, uint64_t event, int depth)
{
    void *answer[6];
    memset(answer, 0x5a, sizeof answer);
    void *untouched = answer[0];
    for (int kind = 0; kind < 6; kind++) {
        if (kind != ABT_TOOL_QUERY_KIND_POOL && kind < ABT_TOOL_QUERY_KIND_SYNC_OBJECT_HANDLE &&
            kind != ABT_TOOL_QUERY_KIND_CALLER_HANDLE && valid_for[kind] & event)
            answer[kind] = NULL; /* an int or an enumeration: its upper half */
        int code = ABT_tool_query_thread(context, event, (ABT_tool_query_kind)kind, &answer[kind]);
        if (valid_for[kind] & event)
            CHECK(code == ABT_SUCCESS, "event %lx: query %d: %d", (long)event, kind, code);
        else
            CHECK(code == ABT_ERR_INV_ARG && answer[kind] == untouched, "event %lx: query %d: %d",
                  (long)event, kind, code);
    }
    if (valid_for[ABT_TOOL_QUERY_KIND_POOL] & event)
        CHECK(answer[ABT_TOOL_QUERY_KIND_POOL] != NULL, "event %lx: no pool", (long)event);
    if (valid_for[ABT_TOOL_QUERY_KIND_STACK_DEPTH] & event)
        CHECK((int)(intptr_t)answer[ABT_TOOL_QUERY_KIND_STACK_DEPTH] == depth, "event %lx: depth %d, not %d",
              (long)event, (int)(intptr_t)answer[ABT_TOOL_QUERY_KIND_STACK_DEPTH], depth);
    ABT_exec_entity_type type = (ABT_exec_entity_type)(intptr_t)answer[ABT_TOOL_QUERY_KIND_CALLER_TYPE];
    if (event != BIT(CANCEL))
        CHECK((type == ABT_EXEC_ENTITY_TYPE_THREAD) == (answer[ABT_TOOL_QUERY_KIND_CALLER_HANDLE] != NULL),
              "event %lx: caller of type %d with handle %p", (long)event, (int)type,
              answer[ABT_TOOL_QUERY_KIND_CALLER_HANDLE]);
    if (!(event & (BIT(YIELD) | BIT(SUSPEND))))
        return;
    int sync = (int)(intptr_t)answer[ABT_TOOL_QUERY_KIND_SYNC_OBJECT_TYPE];
    int without = sync == ABT_SYNC_EVENT_TYPE_USER || sync == ABT_SYNC_EVENT_TYPE_OTHER;
    if (sync < ABT_SYNC_EVENT_TYPE_USER || sync > ABT_SYNC_EVENT_TYPE_BARRIER) {
        violation("event %lx: sync type %d", (long)event, sync);
        return;
    }
    counts->sync_types[sync]++;
    CHECK(without == (event == BIT(YIELD)), "event %lx: sync type %d", (long)event, sync);
    CHECK(without == (answer[ABT_TOOL_QUERY_KIND_SYNC_OBJECT_HANDLE] == NULL), "sync type %d: object %p",
          sync, answer[ABT_TOOL_QUERY_KIND_SYNC_OBJECT_HANDLE]);
}

/* ---- the life of a unit -------------------- */

/** From which states an event may come, and to which it leads. */
static const struct {
    enum state from[2], to;
} steps[10] = {
    {{NONE, NONE}, READY},          /* CREATE */
    {{FINISHED, JOINED}, JOINED},   /* JOIN */
    {{JOINED, FINISHED}, NONE},     /* FREE; by kind below */
    {{JOINED, JOINED}, READY},      /* REVIVE */
    {{READY, READY}, RUNNING},      /* RUN */
    {{RUNNING, RUNNING}, FINISHED}, /* FINISH */
    {{READY, READY}, FINISHED},     /* CANCEL */
    {{RUNNING, RUNNING}, READY},    /* YIELD */
    {{RUNNING, RUNNING}, BLOCKED},  /* SUSPEND */
    {{BLOCKED, BLOCKED}, READY},    /* RESUME */
};

static void push(struct unit *unit, struct stream *stream)
{
    unit->stream = stream;
    stream->depth++;
}

static void pop(struct unit *unit, struct stream *stream)
{
    unit->stream = NULL;
    stream->depth--;
}

/** Which unit runs on the thread, and which lie below it. */
static void placement(struct unit *unit, struct stream *stream, uint64_t event, ABT_tool_context context)
{
    if (event == BIT(RUN)) {
        CHECK(stream->running == NULL, "RUN where another unit is running");
        stream->running = unit;
        if (unit->stream == NULL)
            push(unit, stream);
    }
    if (event & (BIT(FINISH) | BIT(YIELD) | BIT(SUSPEND))) {
        CHECK(stream->running == unit, "event %lx of a unit that the thread does not run", (long)event);
        stream->running = NULL;
    }
    if (event & (BIT(RUN) | BIT(FINISH) | BIT(YIELD) | BIT(SUSPEND)))
        CHECK(unit->stream == stream, "event %lx on another thread than where it was run", (long)event);
    queries(context, event, stream->depth);
    ABT_sync_event_type sync = ABT_SYNC_EVENT_TYPE_UNKNOWN;
    if (event == BIT(YIELD))
        ABT_tool_query_thread(context, event, ABT_TOOL_QUERY_KIND_SYNC_OBJECT_TYPE, &sync);
    if (event == BIT(FINISH) || sync == ABT_SYNC_EVENT_TYPE_OTHER)
        pop(unit, stream);
}

static void step(ABT_thread handle, ABT_xstream xstream, uint64_t event, ABT_tool_context context)
{
    struct unit **at = find(handle), *unit = *at;
    struct stream *stream = stream_of(xstream);
    ABT_bool unnamed = -1;
    int bit = __builtin_ctzll(event);
    CHECK(ABT_thread_is_unnamed(handle, &unnamed) == ABT_SUCCESS && (unnamed == 0 || unnamed == 1),
          "unnamed");
    if (bit > 9 || event & (event - 1)) {
        violation("event %lx", (long)event);
        return;
    }
    counts->events[bit]++;
    if (event == BIT(CREATE))
        counts->unnamed += (uint64_t)unnamed;
    /* The unit of a thread of the program was running before anybody listened. */
    if (unit->state == NONE && event == BIT(SUSPEND) && !unnamed && stream->depth == 0) {
        unit->state = RUNNING;
        stream->running = unit;
        push(unit, stream);
    }
    CHECK(unit->state == steps[bit].from[0] || unit->state == steps[bit].from[1],
          "event %lx of a unit in state %d", (long)event, (int)unit->state);
    if (event == BIT(JOIN))
        CHECK(!unnamed, "JOIN of an unnamed unit");
    if (event == BIT(FREE))
        CHECK(unit->state == (unnamed ? FINISHED : JOINED), "FREE in state %d", (int)unit->state);
    placement(unit, stream, event, context);
    unit->state = steps[bit].to;
    if (event != BIT(FREE))
        return;
    *at = unit->next;
    free(unit);
    counts->units--;
}

static void on_event(ABT_thread handle, ABT_xstream xstream, uint64_t event, ABT_tool_context context,
                     void *argument)
{
    pthread_mutex_lock(&lock);
    CHECK(argument == (void *)&lock, "the argument is another one");
    CHECK(handle != ABT_THREAD_NULL && xstream != ABT_XSTREAM_NULL, "event without unit or thread");
    step(handle, xstream, event, context);
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("UNIT_CHECK_OUT");
    int fd = path != NULL ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd < 0 || ftruncate(fd, sizeof *counts) != 0 ||
        (counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
        abort();
    close(fd);
    counts->registered =
        ABT_tool_register_thread_callback(on_event, ABT_TOOL_EVENT_THREAD_ALL, &lock) == ABT_SUCCESS;
}
