/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * No construct changes errno: a program may look at it behind a region or a barrier, as behind any other
 * statement. A system call or a function of libc that may do so stands in a function that begins with
 * RT_KEEP_ERRNO.
 */
#ifndef RT_KEEP_ERRNO_H
#define RT_KEEP_ERRNO_H

#include <errno.h>

static inline void rt_errno_back(const int *kept)
{
    errno = *kept;
}

/** As a declaration: at the end of the block errno is what it was here. */
#define RT_KEEP_ERRNO __attribute__((cleanup(rt_errno_back), unused)) const int rt_kept_errno = errno

#endif
