/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * In the place of Argobots: a library that has ABT_init and one of the tool's names, with answers of its own.
 */
#include "abt_tool.h"

int ABT_init(int argc, char **argv);

int ABT_init(int argc, char **argv)
{
    (void)argc, (void)argv;
    return ABT_SUCCESS;
}

int ABT_initialized(void)
{
    return 1000;
}

int ABT_tool_query_thread(ABT_tool_context context, uint64_t event, ABT_tool_query_kind query_kind, void *val)
{
    (void)context, (void)event, (void)query_kind, (void)val;
    return 1001;
}
