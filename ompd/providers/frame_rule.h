/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A frame's rule as a row has it (include/ompdx.h, ompdx_layout_frame).
 */
#ifndef OMPD_FRAME_RULE_H
#define OMPD_FRAME_RULE_H

#include <stdbool.h>

#include "target.h"

/** Reads "rsp+96 rbx-56 rbp-16" into all of RET but the range. false: it is no rule. */
WARN_UNUSED bool frame_rule_parse(const char *text, ompdx_frame_rule_t *ret);

#endif
