/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The table of threads.
 */
#ifndef INSPECT_TEXT_THREADS_H
#define INSPECT_TEXT_THREADS_H

#include "inspect/render/text_view.h"

void text_threads(const struct text_view *v);

#endif
