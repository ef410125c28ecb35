/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The part that the programs of this folder share. Calls no OpenMP.
 */
#define _GNU_SOURCE
#define TRUTH_WITHOUT_OPENMP
#include "verdict.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int frozen;

void verdict_start(const char *file, int threads, int idle, int events, const char *kind, const char *circle,
                   const char *sentence)
{
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    static char name[64]; /* truth.c keeps it */

    snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    truth_start(name, threads, idle, events);
    dprintf(1, "VERDICT {\"file\":\"%s\",\"kind\":\"%s\",\"circle\":\"%s\",\"sentence\":\"%s\"}\n", base,
            kind, circle, sentence);
}

void verdict_thread(const char *name, int line)
{
    dprintf(1, "THREAD {\"name\":\"%s\",\"tid\":%d,\"line\":%d}\n", name, truth_tid(), line);
}

void verdict_line(const char *name, int line)
{
    dprintf(1, "LINE {\"name\":\"%s\",\"line\":%d}\n", name, line);
}

void verdict_task(const char *name, int line)
{
    dprintf(1, "TASK {\"name\":\"%s\",\"line\":%d}\n", name, line);
}

/* proc(5): after the name in parentheses stands the state. */
static int sleeps(int tid)
{
    char path[64], text[512];
    size_t n;
    FILE *f;
    const char *end;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    f = fopen(path, "re");
    if (!f)
        return 0;
    n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    end = strrchr(text, ')');
    return end && end[1] == ' ' && end[2] == 'S';
}

void verdict_await_wait(int tid)
{
    const struct timespec nap = {0, 20 * 1000000L};
    unsigned long long from = 0;

    for (int alike = 0; alike < 5; nanosleep(&nap, NULL))
        alike = sleeps(tid) || truth_spins(tid, &from) ? alike + 1 : 0;
}

int verdict_silent_pipe(void)
{
    int ends[2];

    return pipe(ends) == 0 ? ends[0] : -1;
}

static void stand_still(int signal)
{
    (void)signal;
    truth_set(&frozen, 1);
    for (;;)
        pause();
}

void verdict_freeze(unsigned long pthread)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = stand_still;
    sigaction(SIGUSR2, &action, NULL);
    pthread_kill((pthread_t)pthread, SIGUSR2);
    truth_await(&frozen, 1);
}
