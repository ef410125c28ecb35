/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Variables of a frame's function.
 */
#ifndef COREFILES_LOCALS_H
#define COREFILES_LOCALS_H

#include "corefiles/target.h"

/** The INDEX-th variable of frame FRAME, as cf_host_frame counts. */
int cf_host_frame_variable(struct cf_target *t, int64_t lwp, uint32_t frame, uint32_t index,
                           struct insp_variable *ret) CF_WARN_UNUSED;
/** The INDEX-th argument or local variable of frame FRAME as text. */
int cf_host_local(struct cf_target *t, int64_t lwp, uint32_t frame, uint32_t index,
                  struct insp_local *ret) CF_WARN_UNUSED;
void cf_locals_free(struct cf_locals *locals);

#endif
