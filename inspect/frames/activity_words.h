/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Activities in words, without their place.
 */
#ifndef INSPECT_ACTIVITY_WORDS_H
#define INSPECT_ACTIVITY_WORDS_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What it waits for: "mutex queue.m", "mutex 0x55d0c0", "a lock of malloc"; NULL: that kind has no object.
 */
const char *activity_object(struct arena *a, const struct mdl_activity *activity);

/** "waits for mutex queue.m", "waits in read for descriptor 3 (pipe:[12])", "sleeps in usleep for at most
 *  2 s". NULL for what computes, for what is not known, and for OpenMP. */
const char *activity_verb(struct arena *a, const struct mdl_activity *activity);

/** Is it waiting for a lock or another object of the program, and is that named better than its call? */
bool activity_names_object(const struct mdl_activity *activity);

#ifdef __cplusplus
}
#endif
#endif
