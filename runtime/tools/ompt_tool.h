/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The OMPT tool in use, and its end.
 */
#ifndef RT_TOOLS_OMPT_TOOL_H
#define RT_TOOLS_OMPT_TOOL_H

#include "ompt.h"

/** The tool whose initializer is about to run; start: its ompt_start_tool. */
void ompt_tool_open(ompt_start_tool_result_t *tool, const void *start);
/** Its initializer has declined. */
void ompt_tool_close(void);
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
void rt_tools_end_all(struct rt_thread *th, enum rt_window window);

#endif
