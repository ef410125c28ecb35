/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * membarrier(2). Its "private expedited" kind interrupts the processors that run a thread of this process,
 * and takes some 10 us; a thread that does not run has passed a fence when it was switched away.
 */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include "keep_errno.h"
#include "membarrier.h"

int rt_membarrier_works;

static long membarrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0);
}

/** False where libc does not say (before glibc 2.32), too. */
static int is_alone(void)
{
#if __has_include(<sys/single_threaded.h>)
    return __libc_single_threaded;
#else
    return 0;
#endif
}

void rt_membarrier_start(void)
{
    long can = membarrier(MEMBARRIER_CMD_QUERY);
    rt_membarrier_works = can >= 0 && (can & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
    /* Registering takes under 1 us with one thread, and some 30 ms with more: then it waits for the need. */
    if (rt_membarrier_works && is_alone())
        membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

int rt_membarrier(void)
{
    RT_KEEP_ERRNO;
    if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0)
        return 1;
    return errno == EPERM && membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0 &&
           membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
}
