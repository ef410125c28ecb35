/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Everything, the verdict first.
 */
#ifndef INSPECT_REPORT_H
#define INSPECT_REPORT_H

#include "inspect/render/text.h"

void text_report(const struct text_view *v);

#endif
