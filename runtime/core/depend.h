/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Dependences between sibling tasks.
 */
#ifndef RT_DEPEND_H
#define RT_DEPEND_H

#include "dep.h"
#include "task.h"

/** Orders `task` behind its siblings; returns 1 when it must wait. */
int rt_deps_register(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n);

/** Orders the current task behind what the list depends on; returns 1 when it must wait. */
int rt_deps_register_current(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n);

void rt_deps_fulfil(struct rt_thread *th, struct rt_task *task);
void rt_deps_forget(struct rt_thread *th, struct rt_task *parent);

#endif
