/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the host tells inspect of stacks.
 */
#ifndef COREFILES_FRAMES_H
#define COREFILES_FRAMES_H

#include "corefiles/target.h"

int cf_host_frame(struct cf_target *t, int64_t lwp, uint32_t index, struct insp_frame *ret) CF_WARN_UNUSED;
/** insp_host.frame_registers, of x86-64. */
int cf_host_frame_registers(struct cf_target *t, int64_t lwp, uint32_t index,
                            struct insp_frame_registers *ret) CF_WARN_UNUSED;
void cf_stacks_free(struct cf_target *t);
void cf_frames_free(struct cf_frames *frames);

#endif
