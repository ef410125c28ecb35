/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where functions begin and end, from what the unwinder has: also of a stripped program, and the same in
 * every host. (Linux Standard Base, "Exception Frames": .eh_frame_hdr.)
 */
#ifndef INSPECT_OWNER_BOUNDS_H
#define INSPECT_OWNER_BOUNDS_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As flow_code.part; what lies in the process' memory. */
bool bounds_at(insp_session *s, uint64_t addr, uint64_t *start, uint64_t *end, bool *entry) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
