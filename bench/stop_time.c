/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A library to preload into `ompd`: how long a process stands still, from the first thread that is
 * interrupted to the last one that is let go. At the end "stop_time: CPU CLOCK" in ms on standard error.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <time.h>

struct moment {
    struct timespec cpu, clock;
};

static struct moment first, last;
static bool stopped;

static void note(struct moment *moment)
{
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &moment->cpu);
    clock_gettime(CLOCK_MONOTONIC, &moment->clock);
}

static double ms(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) * 1e3 + (double)(to->tv_nsec - from->tv_nsec) / 1e6;
}

long ptrace(enum __ptrace_request request, ...)
{
    static long (*next)(int, int, void *, void *);
    va_list list;
    void *addr, *data;
    int pid;
    long rc;

    va_start(list, request);
    pid = va_arg(list, int);
    addr = va_arg(list, void *);
    data = va_arg(list, void *);
    va_end(list);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ptrace");
    if (request == PTRACE_INTERRUPT && !stopped)
        note(&first);
    stopped |= request == PTRACE_INTERRUPT;
    rc = next((int)request, pid, addr, data);
    if (request == PTRACE_DETACH)
        note(&last);
    return rc;
}

__attribute__((destructor)) static void say(void)
{
    if (stopped)
        fprintf(stderr, "stop_time: %.3f %.3f\n", ms(&first.cpu, &last.cpu), ms(&first.clock, &last.clock));
}
