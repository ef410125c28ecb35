/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory of a process that stands still. What is asked for in small pieces that lie close together, as code,
 * the unwinder's tables and stacks, is read by whole pages, each once in an insp_take.
 */
#ifndef INSPECT_STILL_H
#define INSPECT_STILL_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** SIZE bytes at ADDR, through copies of pages where nothing runs. Returns as host_read. */
int still_read(insp_session *s, uint64_t addr, void *buf, size_t size) INSP_WARN_UNUSED;
/** The same from the copies that there are; false: the host is to be asked. */
bool still_has(const insp_session *s, uint64_t addr, void *buf, size_t size) INSP_WARN_UNUSED;
/** host_registers, asked once for each thread where nothing runs. */
int still_registers(insp_session *s, int64_t lwp, uint64_t reg[27], uint64_t *known) INSP_WARN_UNUSED;
/** Between one moment and the next: the copies are of another one. */
void still_forget(insp_session *s);

#ifdef __cplusplus
}
#endif
#endif
