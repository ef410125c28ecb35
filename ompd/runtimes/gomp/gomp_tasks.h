/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: tasks. All that can be reached are found: the current tasks of threads with their parents, the
 * queues of teams, the child tasks of tasks, those that wait for a task, those of taskgroups.
 */
#ifndef OMPD_GOMP_TASKS_H
#define OMPD_GOMP_TASKS_H

#include "runtimes/gomp/gomp.h"

/** Completes the world's tasks, after gomp_find_teams. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t gomp_find_tasks(struct gomp *gomp);

#endif
