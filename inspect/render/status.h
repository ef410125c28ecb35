/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which libraries explain the process, and what they can provide.
 */
#ifndef INSPECT_STATUS_H
#define INSPECT_STATUS_H

#include "inspect/render/text_view.h"

void text_status(const struct text_view *v);

#endif
