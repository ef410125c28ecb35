/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which tasks a thread that waits may run meanwhile.
 */
#ifndef RT_HELP_H
#define RT_HELP_H

#include "task.h"

struct rt_help {
    int on;
    struct rt_task *ancestor;
    enum { RT_STEAL_NO, RT_STEAL_LEFT, RT_STEAL_ANY } steal; /**< others' tasks: none, what they leave, any */
};
/** Any task below `ancestor`, or any of the team if that is NULL. */
static inline struct rt_help rt_help_below(struct rt_task *ancestor)
{
    return (struct rt_help){.on = 1, .ancestor = ancestor, .steal = RT_STEAL_ANY};
}

#endif
