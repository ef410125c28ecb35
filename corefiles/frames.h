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
/** The registers that a call keeps, bits by DWARF number; 0 for a machine of which that is not known here. */
uint64_t cf_kept_registers(const struct cf_target *t);
void cf_stacks_free(struct cf_target *t);
void cf_frames_free(struct cf_frames *frames);

#endif
