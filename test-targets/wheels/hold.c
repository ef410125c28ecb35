/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For programs.py: whoever gets SIGUSR1 takes a mutex that another thread owns. In C, for a handler of
 * Python's runs later, and in the first thread.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int holder;

static void take_it(int sig)
{
    (void)sig;
    pthread_mutex_lock(&held_lock);
}

static void *hold(void *arg)
{
    pthread_mutex_lock(&held_lock);
    holder = gettid();
    for (;;)
        pause();
    return arg;
}

/* Returns the thread that owns the mutex; 0: there is none. */
int hold_start(void)
{
    const struct sigaction action = {.sa_handler = take_it, .sa_flags = SA_RESTART};
    pthread_t thread;

    if (sigaction(SIGUSR1, &action, NULL) || pthread_create(&thread, NULL, hold, NULL))
        return 0;
    while (!holder)
        usleep(1000);
    return holder;
}
