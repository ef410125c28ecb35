/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The OMPT tool in use, and its end.
 */
#ifndef RT_TOOLS_OMPT_TOOL_H
#define RT_TOOLS_OMPT_TOOL_H

#include "../core/event.h"
/** Ends the tool: all that is still open is reported first. */
void rt_tools_stop(void);
/** Whether there is a tool that was initialized and has not ended. */
int rt_tools_active(void);
/** Whether an address is in the module (program, library) of the tool in use. */
int rt_tools_is_of_tool(const void *address);
/**
 * Reports to a listener the end of the calling thread, and to all that of the idle ones, as if the program
 * ended here.
 */
void rt_tools_end_all(struct rt_thread *th, enum rt_listener listener);

#endif
