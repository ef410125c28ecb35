/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * futex(2), private to the process.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "futex.h"
#include "keep_errno.h"

/** `end`: of the wait, as CLOCK_MONOTONIC has it; NULL none. */
static long futex(_Atomic uint32_t *word, int op, uint32_t value, const struct timespec *end, uint32_t bits)
{
    RT_KEEP_ERRNO;
    return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, end, NULL, bits);
}

void rt_futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    futex(word, FUTEX_WAIT, value, NULL, 0);
}

void rt_futex_wait_bits(_Atomic uint32_t *word, uint32_t value, uint32_t bits)
{
    futex(word, FUTEX_WAIT_BITSET, value, NULL, bits);
}

void rt_futex_wait_bits_for(_Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t ns)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += ns;
    if (end.tv_nsec >= 1000000000) {
        end.tv_nsec -= 1000000000;
        end.tv_sec++;
    }
    futex(word, FUTEX_WAIT_BITSET, value, &end, bits);
}

int rt_futex_wake(_Atomic uint32_t *word, int count)
{
    return (int)futex(word, FUTEX_WAKE, (uint32_t)count, NULL, 0);
}

int rt_futex_wake_bits(_Atomic uint32_t *word, int count, uint32_t bits)
{
    return (int)futex(word, FUTEX_WAKE_BITSET, (uint32_t)count, NULL, bits);
}
