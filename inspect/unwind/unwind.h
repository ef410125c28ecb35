/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The frames of a stopped thread, by the tables that its files have in memory: hundreds of threads in a
 * moment, and no file is opened. Where these tables say nothing, or too much, the host's unwinder goes on.
 */
#ifndef INSPECT_UNWIND_H
#define INSPECT_UNWIND_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As insp_host.frame_registers. What was found is good until still_forget. */
int unwind_frame(insp_session *s, int64_t lwp, uint32_t index,
                 struct insp_frame_registers *ret) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
