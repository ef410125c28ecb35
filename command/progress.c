/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Progress, for those who wait at a terminal.
 */
#include "cmd.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t written;
static double start; /* of this work, 0 none */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int cmd_progress(void *arg, const char *what, uint64_t done, uint64_t total)
{
    static double last;
    const struct cmd_args *args = arg;
    double at = now();

    if (start <= 0)
        start = at;
    if (at - start > 1 && at - last > 0.2 && !args->quiet && isatty(STDERR_FILENO)) {
        last = at;
        written = true;
        fprintf(stderr, "\r\033[K%s", what);
        if (total > 1)
            fprintf(stderr, " %" PRIu64 "%%", done < total ? done * 100 / total : 100);
        fflush(stderr);
    }
    return cmd_cancelled();
}

void cmd_progress_line(const char *format, ...)
{
    va_list args;

    written = true;
    fputs("\r\033[K", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fflush(stderr);
}

void cmd_progress_end(void)
{
    static const char wipe[] = "\r\033[K";

    if (written && write(STDERR_FILENO, wipe, sizeof(wipe) - 1) < 0)
        return; /* nobody reads it */
    written = false;
    start = 0;
}
