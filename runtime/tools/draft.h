/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT of 2016, a listener to events: what its files share. include/ompt-draft.h is the interface.
 */
#ifndef RT_TOOLS_DRAFT_H
#define RT_TOOLS_DRAFT_H

#include "../core/event.h"
#include "../core/task.h"
#include "include/ompt-draft.h"
#include "where.h"

#define DRAFT_EVENTS (ompt_event_task_dependence_pair + 1)

/**
 * Registered callbacks by number; NULL none. Written in the tool's initializer, and in the child of fork().
 */
extern _Atomic(ompt_callback_t) draft_callbacks[DRAFT_EVENTS] __attribute__((visibility("hidden")));

/** Whether ompt_set_callback may be called by this thread: the initializer is running. */
void draft_register(int open);
/** Whether there is a tool. */
int rt_draft_active(void);
/** The listener's function, and which events it wants. */
void draft_event(struct rt_thread *th, struct rt_event *event);
uint32_t draft_wants(void);
/** The entry points by name; those of draft_query.c. */
ompt_interface_fn_t draft_lookup(const char *name);
ompt_interface_fn_t draft_lookup_query(const char *name);

/** The id of a task's parallel region, 0 if it is in none: a league's team, a target region. */
static inline uint64_t draft_region(const struct rt_task *task)
{
    uint32_t kind = __atomic_load_n(&where_team(task)->kind, __ATOMIC_RELAXED);
    return kind == RT_TEAM_PARALLEL ? where_region(task) : 0;
}

#endif
