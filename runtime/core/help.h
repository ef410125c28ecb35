/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which tasks a thread that waits may run meanwhile.
 */
#ifndef RT_HELP_H
#define RT_HELP_H

#include "task.h"

/** Passed by value, and in memory it would cost a short task more than its lock does. */
struct rt_help {
    struct rt_task *ancestor;
    int on;
    enum { RT_STEAL_NO, RT_STEAL_LEFT, RT_STEAL_ANY } steal; /**< others' tasks: none, what they leave, any */
};
_Static_assert(sizeof(struct rt_help) <= 16, "passed in two registers (psABI, 3.2.3)");
/** Any task below `ancestor`, or any of the team if that is NULL. */
static inline struct rt_help rt_help_below(struct rt_task *ancestor)
{
    return (struct rt_help){.on = 1, .ancestor = ancestor, .steal = RT_STEAL_ANY};
}

#endif
