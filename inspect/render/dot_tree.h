/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The tree of regions and tasks as a picture.
 */
#ifndef INSPECT_DOT_TREE_H
#define INSPECT_DOT_TREE_H

#include "inspect/render/text_view.h"

void dot_tree(const struct text_view *v);

#endif
