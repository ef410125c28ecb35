/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Resource relinquishing, tool control, the error directive, free agents (OpenMP 5.2 sections 18.6, 18.14,
 * 8.5; 6.0 section 23.1).
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/attach.h"
#include "../core/env.h"
#include "../core/message.h"
#include "../core/pause.h"
#include "../core/task.h"
#include "../tools/control.h"
#include "../tools/ompt_tool.h"
#include "omp_c.h"
#include "versions.h"

/* ---- omp_pause_resource -------------------------------------------------------------------------------- */

/** omp_pause_resource_t: 0 is clang's and asks for nothing, 3 came with 6.0. */
enum { PAUSE_RESUME, PAUSE_SOFT, PAUSE_HARD, PAUSE_STOP_TOOL };

/**
 * 0: done; -1: not. The threads of a parallel region that is running cannot be given back. Soft and hard are
 * the same here: idle threads end, and their threadprivate variables with them, which no pause needs to keep
 * (5.2 section 5.2); the calling thread's stay.
 */
static int pause_host(int kind)
{
    if (kind < PAUSE_RESUME || kind > PAUSE_STOP_TOOL || rt_me()->implicit->team->level > 0)
        return -1;
    if (kind == PAUSE_RESUME)
        return 0;
    if (kind == PAUSE_STOP_TOOL)
        rt_tools_stop();
    return rt_pause_resources(rt_me());
}

RT_EXPORT int omp_pause_resource(int kind, int device)
{
    return device == -1 || device == omp_get_initial_device() ? pause_host(kind) : -1;
}
RT_NODE(omp_pause_resource, "OMP_5.0");

RT_EXPORT int omp_pause_resource_all(int kind)
{
    return pause_host(kind);
}
RT_NODE(omp_pause_resource_all, "OMP_5.0");

RT_EXPORT int __kmpc_pause_resource(int kind)
{
    return pause_host(kind);
}

/* libomp's numbers (docs/abi/kmpc.md section 10). */
RT_EXPORT int __kmpc_get_target_offload(void)
{
    switch (rt_env_target_offload()) {
    case RT_OFFLOAD_DISABLED:
        return 0;
    case RT_OFFLOAD_MANDATORY:
        return 2;
    default:
        return 1;
    }
}

/* ---- tools --------------------------------------------------------------------------------------------- */

RT_EXPORT int omp_control_tool(int command, int modifier, void *argument)
{
    return rt_tools_control(rt_me(), (uint64_t)command, (uint64_t)modifier, argument, RT_CALLER());
}

/* ---- error at(execution) ------------------------------------------------------------------------------- */

/**
 * The directive asks for its message to be displayed (5.2 section 8.5), so it is no warning of the runtime's
 * own.
 */
static void display(uint32_t severity, const char *message, size_t length, struct rt_caller caller)
{
    RT_EVENT(rt_me(), RT_ON_ERROR, .flags = severity, .object = message, .count = length,
             .codeptr = caller.codeptr, .frame = caller.frame);
    length = message == NULL ? 0 : length > INT_MAX ? INT_MAX : length;
    char *text = length != 0 ? malloc(length) : NULL;
    if (text == NULL) {
        fprintf(stderr, "ompcompanion: error directive\n");
        return;
    }
    memcpy(text, message, length);
    fprintf(stderr, "ompcompanion: error directive: %.*s\n",
            (int)rt_printable(text, length, RT_TAB_AND_NEWLINE), text);
    free(text);
}

/** clang: severity 1 is warning, 2 fatal, as OMPT has it. */
RT_EXPORT void __kmpc_error(const struct rt_loc *loc, int severity, const char *message)
{
    (void)loc, (void)rt_me();
    display((uint32_t)severity, message, message != NULL ? strlen(message) : 0, RT_CALLER());
    if (severity == 2)
        exit(1);
}

/** gcc: C and C++ pass the length SIZE_MAX and a string, Fortran a length and no NUL. */
static size_t gcc_length(const char *message, size_t length)
{
    return message != NULL && length == SIZE_MAX ? strlen(message) : length;
}

RT_EXPORT void GOMP_warning(const char *message, size_t length)
{
    (void)rt_me();
    display(RT_SEVERITY_WARNING, message, gcc_length(message, length), RT_CALLER());
}

RT_EXPORT void GOMP_error(const char *message, size_t length)
{
    (void)rt_me();
    display(RT_SEVERITY_FATAL, message, gcc_length(message, length), RT_CALLER());
    exit(1);
}

/* ---- 6.0: free agents ---------------------------------------------------------------------------------- */

/* Each thread that runs tasks belongs to a team: there are no free agents. */
RT_EXPORT int omp_is_free_agent(void)
{
    return 0;
}

RT_EXPORT int omp_ancestor_is_free_agent(int level)
{
    (void)level;
    return 0;
}
