/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What has led to a signal, in sentences.
 */
#ifndef INSPECT_CRASH_WORDS_H
#define INSPECT_CRASH_WORDS_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** " Its stack of 2 MB is full. OMP_STACKSIZE sets ...": whole sentences, each with a space before it; ""
 *  where no more is known than the signal. */
const char *crash_cause(struct arena *a, const insp_snapshot *s);

/** The loop that TASK was in, NULL: nothing is known of one. */
const struct mdl_loop *crash_loop_of(const insp_snapshot *s, const struct mdl_task *task);
/** " It was in iteration 37 of a loop with schedule(dynamic).": what TASK had in hand; "" nothing is known of
 *  a loop that it was in. */
const char *crash_loop(struct arena *a, const insp_snapshot *s, const struct mdl_task *task);

#ifdef __cplusplus
}
#endif
#endif
