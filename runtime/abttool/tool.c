/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The tool interface itself: one registration, the calls of it, and the queries about an event.
 */
#include <pthread.h>
#include <stddef.h>

#include "abttool.h"

/**
 * The registration is read without a lock, by every event: a writer makes `version` odd, changes the three,
 * and makes it even again; a reader whose version was odd or has changed reads once more. So the three never
 * mix.
 */
static struct {
    _Atomic uint32_t version;
    _Atomic(ABT_tool_thread_callback_fn) callback;
    _Atomic uint64_t mask;
    void *_Atomic argument;
} registered;
static pthread_mutex_t writer = PTHREAD_MUTEX_INITIALIZER;

struct registration {
    ABT_tool_thread_callback_fn callback;
    uint64_t mask;
    void *argument;
};

static struct registration current(void)
{
    struct registration now;
    uint32_t version;
    do {
        version = registered.version;
        now = (struct registration){registered.callback, registered.mask, registered.argument};
    } while (version % 2 != 0 || registered.version != version);
    return now;
}

static void on_event(const struct ompc_unit_event *event)
{
    struct registration now = current();
    if (now.callback != NULL && now.mask & event->event)
        now.callback(event->unit, event->thread, event->event, (ABT_tool_context)event, now.argument);
    abttool_keys_event(event);
}

ABTTOOL_EXPORT int ABT_tool_register_thread_callback(ABT_tool_thread_callback_fn cb_func, uint64_t event_mask,
                                                     void *user_arg)
{
    const struct ompc_units *units = abttool_units();
    if (units == NULL)
        return ABT_ERR_FEATURE_NA;
    pthread_mutex_lock(&writer);
    registered.version++;
    registered.callback = cb_func;
    registered.mask = event_mask;
    registered.argument = user_arg;
    registered.version++;
    units->listen(cb_func != NULL && (event_mask & ABT_TOOL_EVENT_THREAD_ALL) != 0 ? on_event : NULL);
    pthread_mutex_unlock(&writer);
    return ABT_SUCCESS;
}

/*
 * Not held over the fork: whoever has it asks the runtime for more, whose locks are held before or after it.
 */
void abttool_tool_after_fork(void)
{
    writer = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (registered.version % 2 == 0)
        return;
    registered.callback = NULL;
    registered.version++;
}

/* ---- queries -------------------- */

#define CREATE  ABT_TOOL_EVENT_THREAD_CREATE
#define REVIVE  ABT_TOOL_EVENT_THREAD_REVIVE
#define RUN     ABT_TOOL_EVENT_THREAD_RUN
#define FINISH  ABT_TOOL_EVENT_THREAD_FINISH
#define CANCEL  ABT_TOOL_EVENT_THREAD_CANCEL
#define YIELD   ABT_TOOL_EVENT_THREAD_YIELD
#define SUSPEND ABT_TOOL_EVENT_THREAD_SUSPEND
#define RESUME  ABT_TOOL_EVENT_THREAD_RESUME

/** The events that each query is for. */
static const uint32_t valid_for[] = {
    [ABT_TOOL_QUERY_KIND_POOL] = CREATE | REVIVE | YIELD | RESUME,
    [ABT_TOOL_QUERY_KIND_STACK_DEPTH] = RUN | FINISH | YIELD | SUSPEND,
    [ABT_TOOL_QUERY_KIND_CALLER_TYPE] = ABT_TOOL_EVENT_THREAD_ALL,
    [ABT_TOOL_QUERY_KIND_CALLER_HANDLE] = ABT_TOOL_EVENT_THREAD_ALL & ~CANCEL,
    [ABT_TOOL_QUERY_KIND_SYNC_OBJECT_TYPE] = YIELD | SUSPEND,
    [ABT_TOOL_QUERY_KIND_SYNC_OBJECT_HANDLE] = YIELD | SUSPEND,
};

/* The event is the context's: a caller that passes another one breaks the page's rule. */
ABTTOOL_EXPORT int ABT_tool_query_thread(ABT_tool_context context, uint64_t event,
                                         ABT_tool_query_kind query_kind, void *val)
{
    const struct ompc_units *units = abttool_units();
    const struct ompc_unit_event *what = (const struct ompc_unit_event *)context;
    (void)event;
    if (units == NULL)
        return ABT_ERR_FEATURE_NA;
    if (what == NULL)
        return ABT_ERR_INV_TOOL_CONTEXT;
    if ((unsigned)query_kind >= sizeof valid_for / sizeof *valid_for ||
        !(valid_for[query_kind] & what->event))
        return ABT_ERR_INV_ARG;
    switch (query_kind) {
    case ABT_TOOL_QUERY_KIND_POOL:
        *(const void **)val = what->pool;
        break;
    case ABT_TOOL_QUERY_KIND_STACK_DEPTH:
        *(int *)val = units->depth(what->unit);
        break;
    case ABT_TOOL_QUERY_KIND_CALLER_TYPE:
        *(ABT_exec_entity_type *)val = what->caller != NULL || what->event == CANCEL
                                           ? ABT_EXEC_ENTITY_TYPE_THREAD
                                           : ABT_EXEC_ENTITY_TYPE_EXT;
        break;
    case ABT_TOOL_QUERY_KIND_CALLER_HANDLE:
        *(ABT_thread *)val = what->caller;
        break;
    case ABT_TOOL_QUERY_KIND_SYNC_OBJECT_TYPE:
        *(ABT_sync_event_type *)val = (ABT_sync_event_type)what->sync_type;
        break;
    default:
        *(const void **)val = what->sync_object;
    }
    return ABT_SUCCESS;
}
