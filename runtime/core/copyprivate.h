/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * single copyprivate: how the values come from the thread that ran the block to the others.
 */
#ifndef RT_COPYPRIVATE_H
#define RT_COPYPRIVATE_H

#include "thread.h"
#include "workshare.h"

/**
 * By the thread that ran the block: DATA is for all, and lasts until the construct's barrier is over. WORK:
 * the entry that carries it if regions can be cancelled; else NULL.
 */
void rt_copyprivate_give(struct rt_thread *th, struct rt_workshare *work, void *data);
/**
 * By the others: waits for the data, and runs tasks of the team meanwhile. The values are broadcast before
 * any thread leaves the barrier at the end of the construct (OpenMP 5.2 section 5.7.2), so a debugger sees
 * the thread at that barrier, though it arrives there only later. TOLD: tools know by an event of the
 * caller's that the thread waits.
 */
void *rt_copyprivate_wait(struct rt_thread *th, struct rt_workshare *work, struct rt_caller caller, int told);

#endif
