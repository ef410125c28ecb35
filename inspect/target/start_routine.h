/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The function that a thread was created with, and its number, from glibc's descriptor of the thread. Where
 * that has them, glibc tells debuggers in a table of its own (nptl_db).
 */
#ifndef INSPECT_START_ROUTINE_H
#define INSPECT_START_ROUTINE_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Of the thread whose pthread_t is PTHREAD. 0 also for the first thread of a program, which nobody has
 *  created. False: that is not known. */
bool start_routine_of(insp_session *s, uint64_t pthread, uint64_t *ret) INSP_WARN_UNUSED;
/** Where a descriptor has the thread's number in the target's namespace, 4 bytes; 0 not known. */
uint32_t start_routine_tid_offset(insp_session *s);

#ifdef __cplusplus
}
#endif
#endif
