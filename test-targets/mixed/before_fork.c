/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex that another thread held when the process was forked: in the child nobody will give it back. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static int held, tid;

static void *owner(void *arg)
{
    const struct timespec nap = {SAY_LONG, 0};

    pthread_mutex_lock(&heap);
    tid = say_tid();
    say_set(&held, 1);
    SAY_SLEEP();
    nanosleep(&nap, NULL);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int status;

    say_verdict(2, "none");
    pthread_create(&thread, NULL, owner, NULL);
    say_await(&held, 1);
    pid_t pid = fork();
    if (pid == 0) {
        say_verdict(1, "stuck");
        SAY_FOREIGN("heap", &heap, "before_fork|gone", 0);
        pthread_mutex_lock(&heap);
        pthread_mutex_unlock(&heap);
        _exit(0);
    }
    SAY("child", "wait4", "'call':'waitpid|wait4','child':%d", (int)pid);
    waitpid(pid, &status, 0);
#pragma omp parallel
    status++;
}
