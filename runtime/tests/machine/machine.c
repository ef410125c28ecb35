/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * To be preloaded: a machine that is not here. The process may use the processors 0 to MACHINE_CPUS - 1 and
 * bind its threads to them, and what it opens below /sys/devices/system it finds below MACHINE_ROOT. It needs
 * no rights, and works where no mount namespace may be made.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static int cpus(void)
{
    const char *text = getenv("MACHINE_CPUS");
    int n = text != NULL ? atoi(text) : 0;
    if (n < 1 || n > MOST) {
        fprintf(stderr, "machine.c: MACHINE_CPUS is a number from 1 to %d\n", MOST);
        abort();
    }
    return n;
}

static unsigned long whole(void)
{
    return ~0UL >> (MOST - cpus());
}

/** The calling thread's; 0: it has not been bound. */
static _Thread_local unsigned long bound;

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    (void)pid;
    unsigned long mask = bound != 0 ? bound : whole();
    if (size < sizeof mask) {
        errno = EINVAL;
        return -1;
    }
    memset(set, 0, size);
    memcpy(set, &mask, sizeof mask);
    return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    (void)pid;
    unsigned long mask = 0;
    memcpy(&mask, set, size < sizeof mask ? size : sizeof mask);
    if ((mask & whole()) == 0) {
        errno = EINVAL;
        return -1;
    }
    bound = mask & whole();
    return 0;
}

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    static const char devices[] = "/sys/devices/system/";
    char elsewhere[4096];
    int mode = 0;
    if (real == NULL)
        real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, int);
        va_end(arguments);
    }
    const char *root = getenv("MACHINE_ROOT");
    if (root != NULL && strncmp(path, devices, sizeof devices - 1) == 0) {
        snprintf(elsewhere, sizeof elsewhere, "%s%s", root, path);
        path = elsewhere;
    }
    return real(path, flags, mode);
}
