/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What an OMPD library reads of a process beside its memory: registers, frames, threads, the runtime's file.
 */
#ifndef INSPECT_SEGMENTS_H
#define INSPECT_SEGMENTS_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether SEGMENT is one of ompdx.h's. */
bool segment_is_ours(uint64_t segment);
/** Reads SIZE bytes of one. Negative: there is no such thing, not to its end, or the host does not know. */
int segment_read(ompd_address_space_context_t *context, const ompd_thread_context_t *thread,
                 const ompd_address_t *addr, void *buf, uint64_t size) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
