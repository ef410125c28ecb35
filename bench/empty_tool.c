/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * An OMPT tool that registers an empty function for every callback of the host: what an event costs by
 * itself.
 */
#include "omp-tools.h"

/* For callbacks of every type: it reads no argument, and no benchmark uses control_tool's result. */
static void nothing(void) {}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    for (int event = ompt_callback_thread_begin; event <= ompt_callback_error; event++)
        set_callback((ompt_callbacks_t)event, nothing);
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
