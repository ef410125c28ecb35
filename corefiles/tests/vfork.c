/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that cannot be stopped, for it waits in vfork() until standard input is closed; others wait as
 * usual. It writes one "!" when it has come to that.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

static void *forker(void *arg)
{
    char c;

    if (!vfork()) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (write(1, "!", 1) == 1)
            while (read(0, &c, 1) > 0)
                ;
        _exit(0);
    }
    for (;;)
        pause();
    return arg;
}

static void *other(void *arg)
{
    for (;;)
        pause();
    return arg;
}

int main(void)
{
    pthread_t thread;

    for (int i = 0; i < 3; i++)
        if (pthread_create(&thread, NULL, i ? other : forker, NULL))
            return 1;
    other(NULL);
    return 0;
}
