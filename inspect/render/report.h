/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Everything, the verdict first.
 */
#ifndef INSPECT_REPORT_H
#define INSPECT_REPORT_H

#include "inspect/render/text.h"

/** The verdict's sentence; after a crash who took the signal, and the verdict only where it says more. */
void text_verdict(const struct text_view *v);
void text_report(const struct text_view *v);

#endif
