/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The tree of regions.
 */
#ifndef INSPECT_TEXT_REGIONS_H
#define INSPECT_TEXT_REGIONS_H

#include "inspect/render/text_view.h"

void text_regions(const struct text_view *v);

#endif
