/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads that wait for members of their team which this process does not have: fork() gives a child the
 * records of a team, and one of its threads.
 */
#ifndef INSPECT_ABANDONED_H
#define INSPECT_ABANDONED_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Finds the threads that are `abandoned`; once all rows are as known as they will be. */
void abandoned_find(struct insp_snapshot *s);

#ifdef __cplusplus
}
#endif
#endif
