/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for a signal, and one for a file's lock. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "say.h"

static int wait_for(int me, const char *path, const sigset_t *set)
{
    int number = 0, file;

    switch (me) {
    case 0:
        SAY("signal", "rt_sigtimedwait", "'call':'sigwait'");
        sigwait(set, &number);
        break;
    case 1:
        SAY("signal", "pause", "'call':'pause'");
        number = pause();
        break;
    default:
        file = open(path, O_RDWR);
        SAY("system_call", "flock", "'call':'flock'");
        number = flock(file, LOCK_EX);
    }
    return number;
}

int main(void)
{
    char path[] = "mixed_lock_XXXXXX";
    const int file = mkstemp(path);
    sigset_t set;
    int sum = 0;

    say_verdict(3, "unknown");
    flock(file, LOCK_EX);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += wait_for(omp_get_thread_num(), path, &set);
    return sum;
}
