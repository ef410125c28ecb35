/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The view of loops: each loop with the members of the team that are in it.
 */
#ifndef INSPECT_TEXT_LOOPS_H
#define INSPECT_TEXT_LOOPS_H

#include "inspect/render/text_view.h"

void text_loops(const struct text_view *v);

#endif
