/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT's look-up of entry points, registration of callbacks, enumerations (OpenMP 5.2 section 19.6.1).
 */
#include <string.h>

#include "../core/offload.h"
#include "ompt.h"
#include "ompt_tool.h"
#include "program.h"

/* ---- enumerations -------------------- */

struct number {
    int number;
    const char *name;
};

/** What get_state may say: the states of enum rt_state, which the runtime stores. */
#define STATE(name)                            \
    {                                          \
        ompt_state_##name, "ompt_state_" #name \
    }
static const struct number states[] = {
    STATE(work_serial),
    STATE(work_parallel),
    STATE(work_reduction),
    STATE(wait_barrier),
    STATE(wait_barrier_implicit_parallel),
    STATE(wait_barrier_implicit_workshare),
    STATE(wait_barrier_explicit),
    STATE(wait_taskwait),
    STATE(wait_taskgroup),
    STATE(wait_mutex),
    STATE(wait_lock),
    STATE(wait_critical),
    STATE(wait_atomic),
    STATE(wait_ordered),
    STATE(idle),
    STATE(overhead),
};

static const struct number impls[] = {
    {OMPT_IMPL_WORD, "futex"},
    {OMPT_IMPL_TURN, "turn"},
};

/** The item behind `current`, the first for `start`; 0 = there is none. */
static int next_of(const struct number *list, size_t n, int start, int current, int *next, const char **name)
{
    size_t at = 0;
    if (current != start) {
        while (at < n && list[at].number != current)
            at++;
        at++;
    }
    if (at >= n)
        return 0;
    *next = list[at].number;
    *name = list[at].name;
    return 1;
}

static int enumerate_states(int current_state, int *next_state, const char **next_state_name)
{
    return next_of(states, sizeof states / sizeof *states, ompt_state_undefined, current_state, next_state,
                   next_state_name);
}

static int enumerate_mutex_impls(int current_impl, int *next_impl, const char **next_impl_name)
{
    return next_of(impls, sizeof impls / sizeof *impls, 0, current_impl, next_impl, next_impl_name);
}

/* ---- callbacks -------------------- */

/** Ours: always, unless there is code of gcc, which inlines it. */
enum { UNLESS_GCC = ompt_set_always + 1 };

/**
 * Which events come always; docs/tools.md has the same by compiler. "Sometimes" are those that compilers
 * inline, so that the runtime never learns of them. Events of devices are libomptarget's (ompt_connect.c):
 * without it they never come, with it some do.
 */
static const uint8_t promises[OMPT_CALLBACKS] = {
    [ompt_callback_thread_begin] = ompt_set_always,
    [ompt_callback_thread_end] = ompt_set_always,
    [ompt_callback_parallel_begin] = ompt_set_always,
    [ompt_callback_parallel_end] = ompt_set_always,
    [ompt_callback_task_create] = ompt_set_always,
    [ompt_callback_task_schedule] = ompt_set_always,
    [ompt_callback_implicit_task] = ompt_set_always,
    [ompt_callback_target] = ompt_set_never,
    [ompt_callback_target_data_op] = ompt_set_never,
    [ompt_callback_target_submit] = ompt_set_never,
    [ompt_callback_control_tool] = ompt_set_always,
    [ompt_callback_device_initialize] = ompt_set_never,
    [ompt_callback_device_finalize] = ompt_set_never,
    [ompt_callback_device_load] = ompt_set_never,
    [ompt_callback_device_unload] = ompt_set_never,
    [ompt_callback_sync_region_wait] = ompt_set_always,
    [ompt_callback_mutex_released] = ompt_set_always,
    [ompt_callback_dependences] = ompt_set_always,
    [ompt_callback_task_dependence] = ompt_set_always,
    [ompt_callback_work] = UNLESS_GCC,
    [ompt_callback_masked] = UNLESS_GCC,
    [ompt_callback_target_map] = ompt_set_never,
    [ompt_callback_sync_region] = ompt_set_always,
    [ompt_callback_lock_init] = ompt_set_always,
    [ompt_callback_lock_destroy] = ompt_set_always,
    [ompt_callback_mutex_acquire] = ompt_set_always,
    [ompt_callback_mutex_acquired] = ompt_set_always,
    [ompt_callback_nest_lock] = ompt_set_always,
    [ompt_callback_flush] = UNLESS_GCC,
    [ompt_callback_cancel] = ompt_set_always,
    [ompt_callback_reduction] = ompt_set_sometimes,
    [ompt_callback_dispatch] = ompt_set_sometimes,
    [ompt_callback_target_emi] = ompt_set_never,
    [ompt_callback_target_data_op_emi] = ompt_set_never,
    [ompt_callback_target_submit_emi] = ompt_set_never,
    [ompt_callback_target_map_emi] = ompt_set_never,
    [ompt_callback_error] = ompt_set_always,
};

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
    if ((int)event <= 0 || (int)event >= OMPT_CALLBACKS || !rt_tools_active())
        return ompt_set_error;
    rt_publish(ompt_callbacks[event], callback);
    rt_listener_set(RT_LISTENER_OMPT, ompt_event, ompt_by_kind, ompt_wants());
    if (callback == NULL)
        return ompt_set_always;
    if (promises[event] == UNLESS_GCC)
        return program_has_gcc_code() ? ompt_set_sometimes : ompt_set_always;
    if (promises[event] == ompt_set_never && rt_offload_present())
        return ompt_set_sometimes;
    return (ompt_set_result_t)promises[event];
}

static int get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
    ompt_callback_t found =
        (int)event > 0 && (int)event < OMPT_CALLBACKS ? rt_acquire(ompt_callbacks[event]) : NULL;
    if (found != NULL && callback != NULL)
        *callback = found;
    return found != NULL;
}

static void finalize_tool(void)
{
    rt_tools_stop();
}

/* ---- look-up -------------------- */

static const struct ompt_entry entries[] = {
    {"ompt_enumerate_states", (ompt_interface_fn_t)enumerate_states},
    {"ompt_enumerate_mutex_impls", (ompt_interface_fn_t)enumerate_mutex_impls},
    {"ompt_set_callback", (ompt_interface_fn_t)set_callback},
    {"ompt_get_callback", (ompt_interface_fn_t)get_callback},
    {"ompt_finalize_tool", (ompt_interface_fn_t)finalize_tool},
    {NULL, NULL},
};

ompt_interface_fn_t ompt_lookup(const char *name)
{
    if (name == NULL)
        return NULL;
    for (const struct ompt_entry *entry = entries; entry->name != NULL; entry++)
        if (strcmp(name, entry->name) == 0)
            return entry->function;
    return ompt_lookup_query(name);
}
