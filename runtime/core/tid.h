/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The kernel's number of the calling thread. gettid(3) is in glibc since 2.30 only.
 */
#ifndef RT_TID_H
#define RT_TID_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int32_t rt_tid(void)
{
    return (int32_t)syscall(SYS_gettid);
}

#endif
