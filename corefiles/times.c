/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Processor time of threads (proc(5)), which the kernel tells while they run.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "corefiles/procfs.h"
#include "corefiles/numbers.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"

static uint64_t now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* False: it has ended. */
static bool time_of(int64_t pid, struct cf_thread_time *one)
{
    struct insp_kernel kernel;
    uint64_t exact;

    one->at_ns = now();
    if (cf_proc_kernel(pid, one->lwp, &kernel))
        return false;
    one->cpu_ns = cf_proc_cpu_ns(pid, one->lwp, &exact) ? kernel.cpu_ns : exact;
    one->processor = kernel.processor;
    one->state = kernel.state;
    return true;
}

static int by_lwp(const void *a, const void *b)
{
    const struct cf_thread_time *x = a, *y = b;

    return x->lwp < y->lwp ? -1 : x->lwp > y->lwp;
}

uint32_t cf_thread_times(int64_t pid, struct cf_thread_time **ret)
{
    struct cf_thread_time *list = NULL;
    struct dirent *entry;
    uint32_t count = 0;
    char path[64];
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%lld/task", (long long)pid);
    dir = opendir(path);
    while (dir && (entry = readdir(dir)) != NULL) {
        struct cf_thread_time one = {.lwp = cf_proc_id(entry->d_name)};

        if (one.lwp <= 0 || one.lwp >= CF_THREADS_MAX || !time_of(pid, &one))
            continue;
        if (!cf_grow(&list, count, sizeof(*list)))
            break;
        list[count++] = one;
    }
    if (dir)
        closedir(dir);
    if (count)
        qsort(list, count, sizeof(*list), by_lwp);
    *ret = list;
    return count;
}
