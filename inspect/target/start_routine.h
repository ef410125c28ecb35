/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The function that a thread was created with, from glibc's descriptor of the thread. Where that has it,
 * glibc tells debuggers in a table of its own (nptl_db).
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

#ifdef __cplusplus
}
#endif
#endif
