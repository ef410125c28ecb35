/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What people call things: the phrases that sentences, tables and pictures have in common.
 */
#ifndef INSPECT_PHRASES_H
#define INSPECT_PHRASES_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to call a thread in a sentence: "thread 3 (LWP 4243)", or "LWP 4243" without a debugger's number. */
const char *mdl_thread_name(struct arena *a, const struct insp_snapshot *s, int64_t lwp);
/** What a thread waits for, without its owner: "lock grid_lock", "critical 'update'", "explicit barrier of
 *  region 3". */
const char *mdl_wait_name(struct arena *a, const struct mdl_wait *wait, bool address);

#ifdef __cplusplus
}
#endif
#endif
