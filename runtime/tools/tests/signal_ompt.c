/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The tool of today that signal_program.c uses: a library of its own, since one module is one tool. It hands
 * its inquiry functions to the program.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "omp-tools.h"

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    void (*take)(ompt_function_lookup_t) =
        (void (*)(ompt_function_lookup_t))dlsym(RTLD_DEFAULT, "signal_take_ompt");
    (void)device, (void)data;
    if (take != NULL)
        take(lookup);
    return take != NULL;
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
