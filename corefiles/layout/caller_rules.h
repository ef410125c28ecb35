/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How the callers of a runtime's code are found, for cores where its file is missing.
 */
#ifndef COREFILES_LAYOUT_CALLER_RULES_H
#define COREFILES_LAYOUT_CALLER_RULES_H

#include <stdio.h>

#include "corefiles/layout/code.h"

/**
 * Prints the row's part "frames": the unwind table's rules for code that calls, or waits in the kernel; that
 * is where threads stand that do not compute. Ranges have one rule from end to end. -1: no memory.
 */
int ly_frames(const struct ly_image *image, const struct ly_code *code, FILE *out) LY_WARN_UNUSED;

#endif
