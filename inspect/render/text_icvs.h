/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The table of internal control variables.
 */
#ifndef INSPECT_TEXT_ICVS_H
#define INSPECT_TEXT_ICVS_H

#include "inspect/render/text_view.h"

void text_icvs(const struct text_view *v);

#endif
