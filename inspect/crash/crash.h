/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What has ended the process, or is about to: the signal, what lies at its address, and why.
 */
#ifndef INSPECT_CRASH_H
#define INSPECT_CRASH_H

#include "inspect/model/model.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fills process.crash, after stacks. Asks nothing but whether there is a signal where there is none. */
void crash_find(insp_session *s, insp_snapshot *snap);

#ifdef __cplusplus
}
#endif
#endif
