/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Registration of callbacks of OMPT of 2016, and its look-up.
 */
#include <string.h>

#include "draft.h"
#include "program.h"

static _Thread_local int registering
    __attribute__((tls_model("initial-exec"))); /**< its initializer runs here */

void draft_register(int open)
{
    registering = open;
}

/** What ompt_set_callback answers (the draft's table of return codes). */
enum { ERROR, NO_CALLBACK, NEVER, SOMETIMES, ALWAYS, UNLESS_GCC };

/**
 * For each event, the core's kind and the answer; docs/tools.md has the same in words. "Sometimes" is what
 * compilers inline: UNLESS_GCC, always, unless there is code of gcc, which alone inlines it.
 */
static const struct {
    uint32_t kind;
    uint8_t answer;
} events[DRAFT_EVENTS] = {
    [ompt_event_parallel_begin] = {RT_ON_PARALLEL, ALWAYS},
    [ompt_event_parallel_end] = {RT_ON_PARALLEL, ALWAYS},
    [ompt_event_task_begin] = {RT_ON_CREATE, ALWAYS},
    [ompt_event_task_end] = {RT_ON_SCHEDULE, ALWAYS},
    [ompt_event_thread_begin] = {RT_ON_THREAD, ALWAYS},
    [ompt_event_thread_end] = {RT_ON_THREAD, ALWAYS},
    [ompt_event_control] = {RT_ON_CONTROL, ALWAYS},
    [ompt_event_runtime_shutdown] = {0, ALWAYS},
    [ompt_event_idle_begin... ompt_event_idle_end] = {RT_ON_IDLE, ALWAYS},
    [ompt_event_wait_barrier_begin... ompt_event_wait_taskgroup_end] = {RT_ON_SYNC, ALWAYS},
    [ompt_event_release_lock... ompt_event_release_critical] = {RT_ON_RELEASED, ALWAYS},
    [ompt_event_release_atomic] = {RT_ON_RELEASED, SOMETIMES},
    [ompt_event_release_ordered] = {RT_ON_RELEASED, ALWAYS},
    [ompt_event_implicit_task_begin... ompt_event_initial_task_end] = {RT_ON_IMPLICIT, ALWAYS},
    [ompt_event_task_switch] = {RT_ON_SCHEDULE, ALWAYS},
    [ompt_event_loop_begin... ompt_event_loop_end] = {RT_ON_WORK, UNLESS_GCC},
    [ompt_event_sections_begin... ompt_event_sections_end] = {RT_ON_WORK, ALWAYS},
    [ompt_event_single_in_block_begin... ompt_event_single_others_end] = {RT_ON_WORK, ALWAYS},
    [ompt_event_workshare_begin... ompt_event_workshare_end] = {0, NEVER}, /* compilers make loops of it */
    [ompt_event_master_begin... ompt_event_master_end] = {RT_ON_MASKED, UNLESS_GCC},
    [ompt_event_barrier_begin... ompt_event_taskgroup_end] = {RT_ON_SYNC, ALWAYS},
    [ompt_event_release_nest_lock_prev] = {RT_ON_NEST, ALWAYS},
    [ompt_event_wait_lock... ompt_event_wait_critical] = {RT_ON_WAIT, ALWAYS},
    [ompt_event_wait_atomic] = {RT_ON_WAIT, SOMETIMES},
    [ompt_event_wait_ordered] = {RT_ON_WAIT, ALWAYS},
    [ompt_event_acquired_lock... ompt_event_acquired_nest_lock_first] = {RT_ON_ACQUIRED, ALWAYS},
    [ompt_event_acquired_nest_lock_next] = {RT_ON_NEST, ALWAYS},
    [ompt_event_acquired_critical] = {RT_ON_ACQUIRED, ALWAYS},
    [ompt_event_acquired_atomic] = {RT_ON_ACQUIRED, SOMETIMES},
    [ompt_event_acquired_ordered] = {RT_ON_ACQUIRED, ALWAYS},
    [ompt_event_init_lock... ompt_event_init_nest_lock] = {RT_ON_LOCK_INIT, ALWAYS},
    [ompt_event_destroy_lock... ompt_event_destroy_nest_lock] = {RT_ON_LOCK_DESTROY, ALWAYS},
    [ompt_event_flush] = {RT_ON_FLUSH, UNLESS_GCC},
    [ompt_event_flush + 1 ... ompt_event_task_dependences - 1] = {0, NEVER}, /* there are no devices */
    [ompt_event_task_dependences... ompt_event_task_dependence_pair] = {0, NO_CALLBACK},
};

static int is_event(int event)
{
    return event > 0 && event < DRAFT_EVENTS;
}

static int set_callback(int event, ompt_callback_t callback)
{
    if (!is_event(event) || !registering)
        return ERROR;
    if (events[event].answer >= SOMETIMES)
        rt_publish(draft_callbacks[event], callback);
    if (events[event].answer == UNLESS_GCC)
        return program_has_gcc_code() ? SOMETIMES : ALWAYS;
    return events[event].answer;
}

static int get_callback(int event, ompt_callback_t *callback)
{
    ompt_callback_t found = is_event(event) ? rt_acquire(draft_callbacks[event]) : NULL;
    if (found != NULL && callback != NULL)
        *callback = found;
    return found != NULL;
}

uint32_t draft_wants(void)
{
    uint32_t wants = 0;
    for (int event = 1; event < DRAFT_EVENTS; event++)
        if (rt_load(draft_callbacks[event]) != NULL)
            wants |= events[event].kind;
    return wants;
}

ompt_interface_fn_t draft_lookup(const char *name)
{
    if (name == NULL)
        return NULL;
    if (strcmp(name, "ompt_set_callback") == 0)
        return (ompt_interface_fn_t)set_callback;
    if (strcmp(name, "ompt_get_callback") == 0)
        return (ompt_interface_fn_t)get_callback;
    return draft_lookup_query(name);
}
