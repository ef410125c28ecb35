/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * taskgroup.
 */
#ifndef RT_TASKGROUP_H
#define RT_TASKGROUP_H

#include "event.h"
#include "task.h"

void rt_taskgroup_begin(struct rt_thread *th);
RT_COLD void rt_taskgroup_begin_instrumented(struct rt_thread *th, struct rt_caller caller);
/** The same for a taskgroup construct, which is reported to tools. */
static inline void rt_taskgroup_begin_at(struct rt_thread *th, struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_SYNC))
        rt_taskgroup_begin_instrumented(th, caller);
    else
        rt_taskgroup_begin(th);
}
void rt_taskgroup_end(struct rt_thread *th, struct rt_caller caller);
/** Ends the taskgroups that an implicit task leaves open at the end of its region. */
static inline void rt_taskgroups_close(struct rt_thread *th, struct rt_task *implicit)
{
    while (unlikely(implicit->taskgroup != NULL))
        rt_taskgroup_end(th, (struct rt_caller){0, 0});
}

#endif
