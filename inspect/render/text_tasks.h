/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The tree of tasks.
 */
#ifndef INSPECT_TEXT_TASKS_H
#define INSPECT_TEXT_TASKS_H

#include "inspect/render/text_view.h"

void text_tasks(const struct text_view *v);

#endif
