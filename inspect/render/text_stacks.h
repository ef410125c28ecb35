/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Call stacks.
 */
#ifndef INSPECT_TEXT_STACKS_H
#define INSPECT_TEXT_STACKS_H

#include "inspect/render/text_view.h"

void text_stacks(const struct text_view *v);
/** Lines "outermost;...;innermost count" for flame graphs. */
void text_folded(const struct text_view *v);

#endif
