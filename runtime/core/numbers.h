/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers of threads. The root's lock is held, except for rt_lock_number_is_gone().
 */
#ifndef RT_NUMBERS_H
#define RT_NUMBERS_H

#include "thread.h"

/** Why a lock number does not tell which thread it is: bits of rt_root.lock_numbers_reused. */
enum { RT_NUMBERS_REUSED = 1, RT_NUMBERS_SHARED = 2 };
int32_t rt_gtid_take(void);
void rt_gtid_give(int32_t gtid);
/** The lock number of a thread that begins; it is never that of a living one. */
uint32_t rt_lock_number_take(uint64_t serial);
/**
 * In the child of fork(): `self`, or NULL, is the only thread that is left. Before other threads' serials are
 * cleared.
 */
void rt_numbers_after_fork(const struct rt_thread *self);
/** Whether it is the number of a thread that is only in the parent; without the lock. */
int rt_lock_number_is_gone(uint32_t number);

#endif
