/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The one global structure, and the number by which a debugger knows whether threads have come since.
 */
#define _GNU_SOURCE
#include <time.h>

#include "root.h"

struct rt_root rt_root;

/*
 * Twice the nanoseconds since the machine's start: even, and larger than what any earlier process has now,
 * which has added two for each thread that began, and no thread begins within a nanosecond.
 */
void rt_generation_renew(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    rt_publish(rt_root.generation, ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) * 2);
}
