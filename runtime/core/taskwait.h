/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * taskwait and taskyield.
 */
#ifndef RT_TASKWAIT_H
#define RT_TASKWAIT_H

#include "dep.h"
#include "task.h"

/** With children that are not complete, or dependences to forget. */
void rt_taskwait_slow(struct rt_thread *th, struct rt_task *task, struct rt_caller caller);
/** Waits until what the list depends on is complete. */
void rt_deps_wait(struct rt_thread *th, const struct rt_dep *deps, int n, struct rt_caller caller);
/** The same as `taskwait depend`, which is a task for a tool. */
void rt_taskwait_deps(struct rt_thread *th, const struct rt_dep *deps, int n, struct rt_caller caller);
/** The current task lets others run, if there are any that may. */
void rt_taskyield(struct rt_thread *th);

#endif
