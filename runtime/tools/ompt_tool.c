/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The OMPT tool in use, and its end (OpenMP 5.2 section 19.2.3).
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "../core/pause.h"
#include "../core/task.h"
#include "ompt.h"
#include "ompt_tool.h"

/* Weak, as in core/resident.c: a fully static program need not have it. */
extern __typeof__(dladdr) dladdr __attribute__((weak));

static _Atomic uint32_t active; /**< 2: it is about to end */
static ompt_start_tool_result_t *tool;
static const void *tool_start;                      /**< its ompt_start_tool */
static ompt_start_tool_result_t *_Atomic connected; /**< libomptarget's, which reports to it; NULL none */

void ompt_tool_open(ompt_start_tool_result_t *result, const void *start)
{
    tool = result;
    tool_start = start;
    rt_publish(active, 1);
    rt_listener_set(RT_LISTENER_OMPT, ompt_event, ompt_by_kind, ompt_wants());
}

void ompt_tool_close(void)
{
    rt_publish(active, 0);
    rt_listener_set(RT_LISTENER_OMPT, ompt_event, ompt_by_kind, 0);
}

int rt_tools_active(void)
{
    return rt_acquire(active) != 0;
}

int rt_tools_is_of_tool(const void *address)
{
    Dl_info own, other;
    if (!rt_tools_active())
        return 0;
    if (!dladdr) /* a static program is one module */
        return 1;
    return dladdr(tool_start, &own) && dladdr(address, &other) && own.dli_fbase == other.dli_fbase;
}

static void end_all(struct rt_thread *th, enum rt_listener listener)
{
    if (!th->is_root || th->implicit == NULL || th->implicit->team->level > 0 ||
        th->implicit->outer_implicit != NULL)
        return;
    rt_workers_dismiss(th);
    th->only_listener = (uint8_t)(listener + 1); /* for others this thread goes on */
    rt_report_implicit(th, 1);
    RT_EVENT(th, RT_ON_THREAD, .end = 1);
    th->only_listener = 0;
}

void rt_tools_end_all(struct rt_thread *th, enum rt_listener listener)
{
    /* exit() in a thread that OpenMP does not know: what is left are workers of threads that have ended. */
    if (th == NULL) {
        rt_workers_dismiss(NULL);
        return;
    }
    /* ompt_finalize_tool is called from a callback, and so may be exit(). */
    uint32_t inside = rt_load(th->in_tool);
    rt_store(th->in_tool, 0);
    end_all(th, listener);
    rt_store(th->in_tool, inside);
}

void ompt_tool_connect(ompt_start_tool_result_t *libomptarget)
{
    rt_publish(connected, libomptarget);
}

static void disconnect(void)
{
    ompt_start_tool_result_t *libomptarget = rt_acquire(connected);
    rt_store(connected, NULL);
    if (libomptarget != NULL)
        libomptarget->finalize(NULL);
}

void rt_tools_stop(void)
{
    struct rt_thread *th = rt_self;
    uint32_t one = 1;
    if (!atomic_compare_exchange_strong_explicit(&active, &one, 2, memory_order_acq_rel,
                                                 memory_order_relaxed))
        return;
    rt_tools_end_all(th, RT_LISTENER_OMPT);
    disconnect();
    ompt_tool_close();
    rt_tools_quiet(th);
    for (int i = 0; i < OMPT_CALLBACKS; i++)
        rt_publish(ompt_callbacks[i], NULL);
    tool->finalize(&tool->tool_data);
}
