/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads that differ in nothing but their number form a group: same state, region, wait, place and stack.
 */
#ifndef INSPECT_GROUP_H
#define INSPECT_GROUP_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct groups {
    int *first; /**< group -> its first thread */
    int *next;  /**< thread -> next thread of its group, -1 */
    int *of;    /**< thread -> its group, -1: no OpenMP thread, and what it does is not known */
    int *size;  /**< group -> threads */
    int count;
};

/** Groups the threads, in the order of their first ones. EXPAND: each alone. False out of memory. */
bool group_threads(const insp_snapshot *s, bool expand, struct arena *a, struct groups *ret) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
