/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Variables of a frame's function.
 */
#ifndef COREFILES_LOCALS_H
#define COREFILES_LOCALS_H

#include "corefiles/target.h"

struct cf_raw_frame;
struct cf_variable;

/** The local variable at ADDR of the function of FRAME. */
int cf_local(struct cf_target *t, const struct cf_raw_frame *frame, uint64_t addr, struct cf_variable *ret);

#endif
