/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How the callers of a runtime's code are found by its layout (ompdx_get_frame_rules), where its file is
 * missing, and the unwind tables with it.
 */
#ifndef INSPECT_FRAME_RULES_H
#define INSPECT_FRAME_RULES_H

#include "inspect/target/session.h"
#include "inspect/unwind/eh_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The rules for the code at ADDR. False: no layout has any. */
bool frame_rules_find(const insp_session *s, uint64_t addr, struct eh_rules *ret) INSP_WARN_UNUSED;
/** Can a call return to PC? In the runtime, whose code is not at hand, where the layout has rules: they are
 *  for code that calls. Elsewhere if the code before it is a call. So a wrong rule leads nowhere. */
bool frame_rules_lead_to(const insp_session *s, insp_read *read, void *ctx, uint64_t pc) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
