/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Detachable tasks: the event.
 */
#ifndef RT_DETACH_H
#define RT_DETACH_H

#include "task.h"

/** Makes the task detachable, before it is submitted; returns the event's handle. */
uintptr_t rt_detach_create(struct rt_task *task);
uintptr_t rt_detach_handle(const struct rt_task *task);

/**
 * The task's code has ended: 1 when the event is still to come, and then its fulfilment completes the task.
 */
int rt_detach_body_done(struct rt_task *task);

/**
 * omp_fulfill_event without the completion. 1: the task's code had already ended, and the caller completes
 * *ret. Of a cancelled task it does nothing.
 */
int rt_detach_note(struct rt_thread *th, uintptr_t handle, struct rt_task **ret);

#endif
