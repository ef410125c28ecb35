/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Cancellation.
 */
#ifndef RT_CANCEL_H
#define RT_CANCEL_H

#include "team.h"
#include "thread.h"

/** Asks for it (with OMP_CANCELLATION), and whether the calling thread is to leave the construct. */
int rt_cancel(struct rt_thread *th, enum rt_cancel what, struct rt_caller caller);
int rt_cancellation_point(struct rt_thread *th, enum rt_cancel what, struct rt_caller caller);
/** The same where the program has no cancellation point. */
int rt_cancel_pending(struct rt_thread *th, enum rt_cancel what);

#endif
