/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The wait-for graph as a picture.
 */
#ifndef INSPECT_DOT_WAITS_H
#define INSPECT_DOT_WAITS_H

#include "inspect/render/text_view.h"

void dot_waits(const struct text_view *v);

#endif
