/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's target tasks (`target nowait`), whose code starts work on a device and does not wait for it.
 *
 * libomptarget (LLVM 16 or later) keeps a handle of that work in a word of the task. A task whose code has
 * ended and whose word is not NULL is detached. The threads of its team that wait, and find no task to run,
 * ask libomptarget after it; who learns that the device has finished completes the task.
 */
#ifndef RT_TARGET_TASK_H
#define RT_TARGET_TASK_H

#include "task.h"

/** The word; at the end of the task's slot, for which rt_target_create has set bytes aside. */
static inline void **rt_target_handle(struct rt_task *task)
{
    size_t room = rt_task_payload_room(task) & ~(sizeof(void *) - 1);
    return (void **)(void *)((char *)rt_task_payload(task) + room) - 1;
}

/** Whether the code that a task runs may leave its device at work when it ends. */
int rt_target_may_leave(const struct rt_task *task);
/** The task's code has ended, and its device has not finished: the team's waiters ask after it. */
void rt_target_left(struct rt_task *task);
/**
 * A task of the region team_serial below `ancestor` (any if NULL) whose device has finished by now, for the
 * caller to complete; NULL if there is none.
 */
struct rt_task *rt_target_finished(struct rt_team *team, uint64_t team_serial,
                                   const struct rt_task *ancestor);

#endif
