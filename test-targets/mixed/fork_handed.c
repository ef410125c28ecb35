/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that forks holds a mutex, as those have it that take theirs in a handler of pthread_atfork: in
 * the child it is the one that gives it back, though the mutex notes the parent's thread. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg)
{
    SAY_FOREIGN("heap", &heap, "before_fork|gone", 0);
    pthread_mutex_lock(&heap);
    pthread_mutex_unlock(&heap);
    return arg;
}

int main(void)
{
    const struct timespec nap = {SAY_LONG, 0};
    pthread_t thread;
    int status;

    say_verdict(1, "unknown");
    pthread_mutex_lock(&heap);
    pid_t pid = fork();
    if (pid == 0) {
        say_verdict(2, "suspected");
        pthread_create(&thread, NULL, user, NULL);
        SAY_SLEEP();
        nanosleep(&nap, NULL);
        pthread_mutex_unlock(&heap);
        pthread_join(thread, NULL);
        _exit(0);
    }
    SAY("child", "wait4", "'call':'waitpid|wait4','child':%d", (int)pid);
    waitpid(pid, &status, 0);
#pragma omp parallel
    status++;
}
