/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the host tells inspect of stacks.
 */
#ifndef COREFILES_FRAMES_H
#define COREFILES_FRAMES_H

#include "corefiles/target.h"

int cf_host_frame(struct cf_target *t, int64_t lwp, uint32_t index, struct insp_frame *ret) CF_WARN_UNUSED;
void cf_frames_free(struct cf_frames *frames);

#endif
