/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the arguments of a system call point to: how long it may take, and which descriptor it waits for.
 * Three reads at most, and none where the arguments themselves say it.
 */
#ifndef INSPECT_CALL_MEMORY_H
#define INSPECT_CALL_MEMORY_H

#include "inspect/activity/system_call.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the process' clocks say, nanoseconds; 0 unknown. */
struct clocks {
    int64_t realtime, monotonic;
};

/** After system_call_tell: fills timeout_ns, the descriptor where poll or select waits for one only, and in A
 *  what the descriptor is. */
void call_memory_tell(insp_session *s, struct arena *a, const struct clocks *now,
                      const struct system_call *call, struct mdl_activity *ret);

#ifdef __cplusplus
}
#endif
#endif
