/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The verdict, and the table of waits.
 */
#ifndef INSPECT_TEXT_WAITS_H
#define INSPECT_TEXT_WAITS_H

#include "inspect/render/text.h"

void text_waits(const struct text_view *v);

#endif
