/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The program speaks to its tool.
 */
#ifndef RT_TOOLS_CONTROL_H
#define RT_TOOLS_CONTROL_H

#include "../core/thread.h"

/** omp_control_tool, and ompt_control of 2016. */
int rt_tools_control(struct rt_thread *th, uint64_t command, uint64_t modifier, void *argument,
                     struct rt_caller caller);

#endif
