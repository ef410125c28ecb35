/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Everything, the verdict first.
 */
#ifndef INSPECT_REPORT_H
#define INSPECT_REPORT_H

#include "inspect/render/text_view.h"

/** The signal, the thread, what has led to it, its task and where that was created; NULL: there was none. */
const char *text_crash(const struct text_view *v);
/** The verdict's sentence; after a crash who took the signal, and the verdict only where it says more. */
void text_verdict(const struct text_view *v);
void text_report(const struct text_view *v);

#endif
