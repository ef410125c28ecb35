/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a program may tell and ask the tool that it is linked with (trace_tool.c).
 */
#ifndef TRACE_TOOL_H
#define TRACE_TOOL_H

#include <stdint.h>

/** A new section of the trace begins. */
#define SECTION(name) omp_control_tool(64, 0, name)
/** The trace calls this address so. */
void trace_name(const void *address, const char *name);
/**
 * One line of what the inquiry functions say here. `frame` is the calling function's frame address, `outer`
 * that of the function around the construct if it is on the same stack, else 0.
 */
void trace_here(const char *where, uintptr_t frame, uintptr_t outer);
#define HERE(where, outer) trace_here(where, (uintptr_t)__builtin_frame_address(0), outer)
#define FRAME              ((uintptr_t)__builtin_frame_address(0))

#endif
