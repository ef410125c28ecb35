/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A tool that says what the runtime does with it: one line for each step of the handshake, what look-up and
 * registration answer, the enumerations. Built as a library, and with IN_PROGRAM into a program.
 *
 * TOOL_START=null: ompt_start_tool wants nothing. TOOL_INITIALIZE=0: the initializer declines. TOOL_QUIET=1:
 * no callback is registered. omp_control_tool's command 100 ends the tool from inside its callback.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omp-tools.h"

#ifdef IN_PROGRAM
#define WHERE "program"
#else
#define WHERE "library"
#endif

static ompt_finalize_tool_t finalize_tool;
static _Atomic int thread_begins, thread_ends;

static int is(const char *variable, const char *value)
{
    const char *now = getenv(variable);
    return now != NULL && strcmp(now, value) == 0;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
    (void)type, (void)data;
    thread_begins++;
}

static void on_thread_end(ompt_data_t *data)
{
    (void)data;
    thread_ends++;
}

static int on_control(uint64_t command, uint64_t modifier, void *argument, const void *codeptr)
{
    printf(WHERE ": control %d %d %s %s\n", (int)command, (int)modifier,
           argument != NULL ? (char *)argument : "-", codeptr != NULL ? "from code" : "from nowhere");
    if (command == 100)
        finalize_tool();
    return (int)command + 1;
}

static void other(void) {}

static const char *const names[] = {
    "ompt_enumerate_states",  "ompt_enumerate_mutex_impls",
    "ompt_set_callback",      "ompt_get_callback",
    "ompt_get_thread_data",   "ompt_get_num_procs",
    "ompt_get_num_places",    "ompt_get_place_proc_ids",
    "ompt_get_place_num",     "ompt_get_partition_place_nums",
    "ompt_get_proc_id",       "ompt_get_state",
    "ompt_get_parallel_info", "ompt_get_task_info",
    "ompt_get_task_memory",   "ompt_get_target_info",
    "ompt_get_num_devices",   "ompt_get_unique_id",
    "ompt_finalize_tool",
};

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    ompt_get_callback_t get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    ompt_enumerate_states_t states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
    ompt_enumerate_mutex_impls_t impls = (ompt_enumerate_mutex_impls_t)lookup("ompt_enumerate_mutex_impls");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    int found = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found += lookup(names[i]) != NULL;
    printf(WHERE ": initialize device %d data %d names %d unknown %s\n", device, (int)data->value, found,
           lookup("ompt_get_thread_id") == NULL && lookup("") == NULL ? "NULL" : "found");
    printf(WHERE ": callbacks");
    for (int event = 0; event <= 38; event++) {
        ompt_callback_t back = NULL;
        int answer = set_callback((ompt_callbacks_t)event, other);
        int got = get_callback((ompt_callbacks_t)event, &back);
        if (answer != ompt_set_error && (!got || back != other))
            answer = -1;
        if (set_callback((ompt_callbacks_t)event, NULL) !=
            (answer == ompt_set_error ? ompt_set_error : ompt_set_always))
            answer = -2;
        printf(" %d", answer);
    }
    printf("\n" WHERE ": states");
    const char *name;
    for (int state = ompt_state_undefined; states(state, &state, &name);)
        printf(" %s=%x", name, (unsigned)state);
    printf("\n" WHERE ": impls");
    for (int impl = 0; impls(impl, &impl, &name);)
        printf(" %s=%d", name, impl);
    printf("\n");
    if (!is("TOOL_QUIET", "1")) {
        set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
        set_callback(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
        set_callback(ompt_callback_control_tool, (ompt_callback_t)on_control);
    }
    return !is("TOOL_INITIALIZE", "0");
}

static void finalize(ompt_data_t *data)
{
    printf(WHERE ": finalize data %d threads %d %d\n", (int)data->value, thread_begins, thread_ends);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {.value = 7}};
    printf(WHERE ": start %u %s\n", version, strstr(runtime, "Companion") != NULL ? "Companion" : runtime);
    return is("TOOL_START", "null") ? NULL : &result;
}
