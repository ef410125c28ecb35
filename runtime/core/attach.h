/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How a thread of the program becomes an OpenMP thread.
 */
#ifndef RT_ATTACH_H
#define RT_ATTACH_H

#include "thread.h"

struct rt_thread *rt_thread_register(void);
static inline struct rt_thread *rt_me(void)
{
    struct rt_thread *th = rt_self;
    return likely(th != NULL) ? th : rt_thread_register();
}

#endif
