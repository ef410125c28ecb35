/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Frames with names.
 */
#ifndef COREFILES_STACK_H
#define COREFILES_STACK_H

#include "corefiles/target.h"

void cf_inlined_free(struct cf_inlined *inlined);

#endif
