/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * An OMPT tool that writes what it hears of devices on stderr.
 */
#include <omp-tools.h>
#include <stdio.h>

static void device_initialize(int device, const char *type, ompt_device_t *handle,
                              ompt_function_lookup_t lookup, const char *documentation)
{
    (void)handle, (void)lookup, (void)documentation;
    fprintf(stderr, "device %d initialized, %s\n", device, type);
}

static void device_finalize(int device)
{
    fprintf(stderr, "device %d finalized\n", device);
}

static void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                   ompt_data_t *target_task, ompt_data_t *data, const void *code)
{
    (void)target_task, (void)data;
    fprintf(stderr, "target %d, %s, device %d, task %s, code %s\n", (int)kind,
            endpoint == ompt_scope_begin ? "begin" : "end", device, task != NULL ? "known" : "NULL",
            code != NULL ? "known" : "NULL");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    int promised[] = {set(ompt_callback_device_initialize, (ompt_callback_t)device_initialize),
                      set(ompt_callback_device_finalize, (ompt_callback_t)device_finalize),
                      set(ompt_callback_target_emi, (ompt_callback_t)target)};
    for (int i = 0; i < 3; i++)
        if (promised[i] == ompt_set_error || promised[i] == ompt_set_never)
            fprintf(stderr, "callback %d is not promised: %d\n", i, promised[i]);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    fprintf(stderr, "the tool ends\n");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
