/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One step of a stack, from a frame's registers to its caller's.
 */
#ifndef INSPECT_CALLER_H
#define INSPECT_CALLER_H

#include "inspect/host.h"
#include "inspect/inspect.h"
#include "inspect/unwind/eh_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum caller_found {
    CALLER_FOUND,
    CALLER_NONE,   /**< it is the outermost frame */
    CALLER_UNKNOWN /**< the rules cannot be followed, or what they say cannot be true */
};

/** Puts register DWARF (EH_RBX …) into FRAME; others than those that struct insp_frame_registers has are left
 *  out. */
void caller_put(struct insp_frame_registers *frame, uint8_t dwarf, uint64_t value);

/** Puts those registers that KNOWN has the bits of; REG is by ompdx_register_t. */
void caller_put_all(struct insp_frame_registers *frame, const uint64_t *reg, uint64_t known);

/** The frame that has called INNER, by RULES for its code (NULL: there are none) and the memory of READ. */
enum caller_found caller_find(const struct eh_rules *rules, insp_read *read, void *ctx,
                              const struct insp_frame_registers *inner,
                              struct insp_frame_registers *ret) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
