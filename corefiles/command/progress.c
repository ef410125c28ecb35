/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Progress, for who waits at a terminal; and the user's wish to end, which must set a stopped process free
 * first.
 */
#include "cmd.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static bool written;
static double start; /* of this work, 0 none */

static void remember(int sig)
{
    caught = sig;
}

void cmd_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remember}, before;

    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        if (!sigaction(signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

bool cmd_cancelled(void)
{
    return caught;
}

void cmd_end_by_signal(void)
{
    if (!caught)
        return;
    signal(caught, SIG_DFL);
    raise(caught);
}

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
    return caught;
}

void cmd_progress_end(void)
{
    if (written)
        fputs("\r\033[K", stderr);
    written = false;
    start = 0;
}
