/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks in JSON, one by one and in groups.
 */
#ifndef INSPECT_TASKS_JSON_H
#define INSPECT_TASKS_JSON_H

#include "inspect/render/json_put.h"

/** Puts `tasks` into ROOT, those that the options want, and `task_groups`. */
void put_tasks(json_t *root, const struct json_of *of, const struct insp_render_options *o);

#endif
