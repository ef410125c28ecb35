/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks that differ in nothing but their number form a group, and those of a chain of dependences in nothing
 * but the task before: thousands of tasks are a few rows.
 */
#ifndef INSPECT_TASK_GROUPS_H
#define INSPECT_TASK_GROUPS_H

#include "inspect/render/group.h"
#include "inspect/render/text_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Groups all tasks; only those that generated no other ones share a group. With the option `expand` each is
 *  alone. False out of memory. */
bool task_groups(const struct text_view *v, struct groups *ret) INSP_WARN_UNUSED;
/** The thread that runs the task now; NULL: none does, or it has left it for another one. */
const struct mdl_thread *task_runner(const insp_snapshot *s, const struct mdl_task *task);
/** The state of a task, and of one on a thread what that does: "ready", "waiting", "in read", "running". */
const char *task_state(const struct text_view *v, const struct mdl_task *task);
/** The ids of COUNT tasks of GROUP, in ROOM characters: "37-6016", "4, 6, ...". */
const char *task_ids(const struct text_view *v, const struct groups *g, int group, size_t room);
/** The ids of the tasks outside of GROUP that its tasks depend on, each once and ascending, and their COUNT.
 *  WITHIN: they depend on one another too. */
const int64_t *task_group_on(const struct text_view *v, const struct groups *g, int group, int *count,
                             bool *within);
/** What all of GROUP depends on: "task 36", "task 36, then one another"; "" nothing. */
const char *task_group_depends(const struct text_view *v, const struct groups *g, int group);

#ifdef __cplusplus
}
#endif
#endif
