/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Slots of threads, teams and implicit tasks. The root's lock is held.
 */
#ifndef RT_SLOTS_H
#define RT_SLOTS_H

#include "thread.h"
#include "team.h"
#include "task.h"

struct rt_thread *rt_slot_thread(void);
struct rt_team *rt_slot_team(void);
/** One for a hot team, with the arrays of an earlier one if there was. */
struct rt_team *rt_slot_hot_team(void);
struct rt_task *rt_slot_implicit(void);
void rt_slot_implicit_free(struct rt_task *task);

#endif
