/* SPDX-License-Identifier: Apache-2.0 */
/* The same as before_fork.c when the parent's thread has given the mutex back and ended: the child's copy
 * stays locked. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static int held, forked;

static void *owner(void *arg)
{
    pthread_mutex_lock(&heap);
    say_set(&held, 1);
    say_await(&forked, 1);
    pthread_mutex_unlock(&heap);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int status, ended[2];
    char byte;

    say_verdict(1, "none unknown");
    status = pipe(ended);
    pthread_create(&thread, NULL, owner, NULL);
    say_await(&held, 1);
    pid_t pid = fork();
    if (pid == 0) {
        status = (int)read(ended[0], &byte, 1);
        say_verdict(1, "stuck");
        SAY_FOREIGN("heap", &heap, "gone", 0);
        pthread_mutex_lock(&heap);
        pthread_mutex_unlock(&heap);
        _exit(0);
    }
    say_set(&forked, 1);
    pthread_join(thread, NULL);
    status = (int)write(ended[1], "", 1);
    SAY("child", "wait4", "'call':'waitpid|wait4','child':%d", (int)pid);
    waitpid(pid, &status, 0);
#pragma omp parallel
    status++;
}
