/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks that are ready to run: the queues of a team.
 */
#ifndef RT_READY_H
#define RT_READY_H

#include "task.h"
#include "team.h"

/** A task without unfulfilled dependences becomes available to the team. */
void rt_task_make_ready(struct rt_thread *th, struct rt_task *task);

/** The calling thread, which was woken for work, has found a task or is about to do something else. */
void rt_work_wakeup_end(struct rt_thread *th, struct rt_team *team);
/** Whether at least so many tasks of the team wait in queues. */
int rt_tasks_queued(struct rt_team *team, int enough);

#endif
