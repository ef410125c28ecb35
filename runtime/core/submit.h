/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks that are submitted: queued, run at once, or held back by dependences.
 */
#ifndef RT_SUBMIT_H
#define RT_SUBMIT_H

#include "dep.h"
#include "task.h"

struct rt_task *rt_task_create(struct rt_thread *th, uint32_t flags, size_t payload, uint64_t fn,
                               const struct rt_loc *loc, struct rt_caller caller);
/** Queues or runs a created task. `deps` is copied. */
void rt_task_submit(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n);
/**
 * Runs a created task at once as undeferred (if clause false), behind what it depends on; waits for its
 * event.
 */
void rt_task_run_undeferred(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n,
                            struct rt_caller caller);

#endif
