/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program without OpenMP that asks each function of the preloaded libraries, and prints the answers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "abt_tool.h"

int main(int argc, char **argv)
{
    void *from = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : RTLD_DEFAULT;
    void *value[2] = {0};
    if (from == NULL && argc > 1)
        return 1;
#define ASK(name, ...)                                                        \
    do {                                                                      \
        __typeof__(name) *function = (__typeof__(name) *)dlsym(from, #name);  \
        printf(#name " %d\n", function != NULL ? function(__VA_ARGS__) : -1); \
    } while (0)
    ASK(ABT_tool_register_thread_callback, NULL, ABT_TOOL_EVENT_THREAD_ALL, NULL);
    ASK(ABT_tool_query_thread, NULL, 1, ABT_TOOL_QUERY_KIND_POOL, value);
    ASK(ABT_initialized);
    ASK(ABT_info_query_config, ABT_INFO_QUERY_KIND_ENABLED_TOOL, value);
    ASK(ABT_thread_self, (ABT_thread *)value);
    ASK(ABT_xstream_self, (ABT_xstream *)value);
    ASK(ABT_xstream_get_rank, ABT_XSTREAM_NULL, (int *)value);
    ASK(ABT_thread_is_unnamed, ABT_THREAD_NULL, (int *)value);
    return 0;
}
