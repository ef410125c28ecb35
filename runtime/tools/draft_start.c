/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The handshake of OMPT of 2016, its end, and its repetition in the child of fork(). It comes behind that of
 * today's OMPT (ompt_start.c), when the first thread becomes an OpenMP thread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "../core/env.h"
#include "../core/message.h"
#include "../core/tid.h"
#include "../core/tools.h"
#include "draft.h"
#include "ompt_tool.h"

#define DRAFT_VERSION 2

typedef ompt_initialize_fn_t find_tool(void);

/* The program's, if it has one: a program that is linked with the library need not export it otherwise. */
extern find_tool ompt_tool __attribute__((weak));
/* Weak, as in core/resident.c: a fully static program need not have it. */
extern __typeof__(dlsym) dlsym __attribute__((weak));

enum { DONE = 1 };
static rt_lock_t phase_lock;
static _Atomic uint32_t phase;
static _Thread_local int inside __attribute__((tls_model("initial-exec"))); /* of the handshake */
static _Atomic uint32_t active;
static int asked; /**< there is an ompt_tool, and it was called */

/** In the child: the thread that forked, from outside of regions, until it calls the runtime again. */
static struct rt_thread *forked;

int rt_draft_active(void)
{
    return rt_acquire(active) != 0;
}

/* ---- the end -------------------- */

static void at_exit(void)
{
    struct rt_thread *th = rt_self;
    uint32_t one = 1;
    if (!atomic_compare_exchange_strong_explicit(&active, &one, 0, memory_order_acq_rel,
                                                 memory_order_relaxed))
        return;
    rt_tools_end_all(th, RT_LISTENER_DRAFT);
    rt_listener_set(RT_LISTENER_DRAFT, draft_event, NULL, 0);
    ompt_callback_t shutdown = rt_acquire(draft_callbacks[ompt_event_runtime_shutdown]);
    if (shutdown != NULL)
        shutdown();
}

/* ---- the beginning -------------------- */

static find_tool *draft_find(void)
{
    find_tool *found = NULL;
    if (dlsym)
        found = (find_tool *)dlsym(RTLD_DEFAULT, "ompt_tool");
    return found != NULL ? found : &ompt_tool;
}

/**
 * One tool of both times is not used twice: of a module whose ompt_start_tool is in use no ompt_tool is
 * called.
 */
static void handshake(void)
{
    find_tool *tool = rt_env.tool ? draft_find() : NULL;
    if (tool == NULL || rt_tools_is_of_tool((const void *)tool))
        return;
    if (rt_env.tool_illegal != NULL && !rt_tools_active())
        rt_end("OMP_TOOL: '%s' is neither enabled nor disabled", rt_env.tool_illegal);
    asked = 1;
    ompt_initialize_fn_t initialize = tool();
    if (initialize == NULL)
        return;
    rt_publish(active, 1);
    draft_register(1);
    initialize(draft_lookup, rt_root.version_string, DRAFT_VERSION);
    draft_register(0);
    rt_listener_set(RT_LISTENER_DRAFT, draft_event, NULL, draft_wants());
    atexit(at_exit);
}

/** The thread that forked goes on as it was; the tool has not heard of it. */
static void resume(struct rt_thread *th)
{
    rt_self = th;
    th->tid = rt_tid();
    if (!rt_draft_active())
        return;
    draft_event(th, &(struct rt_event){.on = RT_ON_THREAD});
    draft_event(th, &(struct rt_event){.on = RT_ON_IMPLICIT, .task = th->implicit});
}

void rt_draft_start(void)
{
    if (inside || (rt_acquire(phase) == DONE && forked == NULL))
        return;
    rt_lock(&phase_lock);
    if (rt_load(phase) != DONE) {
        inside = 1;
        handshake();
        inside = 0;
        rt_publish(phase, DONE);
    }
    rt_unlock(&phase_lock);
    struct rt_thread *th = rt_draft_self();
    if (th != NULL && rt_self == NULL) {
        forked = NULL;
        resume(th);
    }
}

/* ---- fork() -------------------- */

struct rt_thread *rt_draft_self(void)
{
    if (rt_self != NULL || forked == NULL || forked->pthread != (uint64_t)pthread_self())
        return rt_self;
    return forked;
}

void rt_draft_after_fork(struct rt_thread *self)
{
    int outside = self != NULL && self->is_root && self->implicit != NULL &&
                  self->implicit->team->kind == RT_TEAM_INITIAL && self->implicit->outer_implicit == NULL &&
                  rt_load(self->cur_task) == self->implicit;
    forked = NULL;
    if (!asked)
        return;
    asked = 0;
    rt_store(active, 0);
    rt_listener_set(RT_LISTENER_DRAFT, draft_event, NULL, 0);
    for (int i = 0; i < DRAFT_EVENTS; i++)
        rt_publish(draft_callbacks[i], NULL);
    rt_store(phase, 0);
    if (outside) {
        forked = self;
        rt_self = NULL;
    }
}
