/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 1 of a team was interrupted within malloc, where it has taken the arena's lock, and its signal's
 * handler waits. Thread 0 asks malloc for memory of the same arena. The signal comes at the right moment
 * because the arena's last chunk, which malloc has to cut, may not be written. */
#define _GNU_SOURCE
#include <malloc.h>
#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "say.h"

enum { PAGE = 4096, SMALL = 5000, LARGE = 24 * 1024 };

static int within;

static void handler(int signal)
{
    (void)signal;
    say_set(&within, 1);
    SAY("signal", "pause", "%s", "'call':'pause'");
    pause();
    say_after();
}

__attribute__((noinline)) static void *ask(size_t size)
{
    SAY("malloc", "futex", "%s", "'call':'malloc'");
    void *got = malloc(size);
    say_after();
    return got;
}

static void *be_interrupted(void)
{
    char *last = malloc(SMALL);
    char *from = (char *)(((uintptr_t)last + SMALL + 2 * PAGE) / PAGE * PAGE), *end = sbrk(0);

    if (!last || mprotect(from, (size_t)(end - from) / PAGE * PAGE, PROT_READ))
        abort();
    return malloc(LARGE);
}

int main(void)
{
    struct sigaction action;
    void *volatile got = NULL;

    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    sigaction(SIGSEGV, &action, NULL);
    mallopt(M_ARENA_MAX, 1);
    say_verdict(2, "unknown");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            got = be_interrupted();
        } else {
            say_await(&within, 1);
            got = ask(SMALL);
        }
    }
    free(got);
}
