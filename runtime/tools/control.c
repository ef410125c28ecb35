/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The program speaks to its tool: omp_control_tool, and ompt_control of 2016.
 */

#include "../core/attach.h"
#include "control.h"
#include "draft.h"
#include "ompt_tool.h"

int rt_tools_control(struct rt_thread *th, uint64_t command, uint64_t modifier, void *argument,
                     struct rt_caller caller)
{
    struct rt_event event = {.on = RT_ON_CONTROL,
                             .count = command,
                             .first = modifier,
                             .object = argument,
                             .codeptr = caller.codeptr,
                             .frame = caller.frame,
                             .n = -1}; /* omp_control_tool_nocallback */
    if (!rt_tools_active() && !rt_draft_active())
        return -2; /* omp_control_tool_notool */
    if (RT_WANTS(RT_ON_CONTROL))
        rt_report(th, &event);
    return event.n;
}

/** As omp_control_tool, which came later: goes to whatever tool is there. */
RT_EXPORT void ompt_control(uint64_t command, uint64_t modifier)
{
    (void)rt_tools_control(rt_me(), command, modifier, NULL, RT_CALLER());
}
