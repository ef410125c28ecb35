/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settle KIND: prints "ready PID"; each line that it reads it answers with the number of rounds so far.
 *   given    two threads wait for each other's mutex in a circle, and every few milliseconds a third gives
 *            one of them back: at nearly each moment a deadlock, if nobody gives back what others hold
 *   circle   the same without the third thread: after one round nothing moves any more
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static atomic_long rounds;
static atomic_int crossed, gives;

static void nap(void)
{
    nanosleep(&(struct timespec){0, 4000000}, NULL);
}

/* The first takes a and wants b, the second the other way round. */
static void *work(void *arg)
{
    const int second = arg != NULL;
    for (;;) {
        pthread_barrier_wait(&both);
        pthread_mutex_lock(second ? &b : &a);
        pthread_barrier_wait(&both);
        atomic_fetch_add(&crossed, 1);
        pthread_mutex_lock(second ? &a : &b);
        atomic_fetch_add(&rounds, 1);
        pthread_mutex_unlock(second ? &a : &b);
        /* The first one's own was given back for it. */
        if (second || !atomic_load(&gives))
            pthread_mutex_unlock(second ? &b : &a);
        pthread_barrier_wait(&both);
    }
    return NULL;
}

/* A mutex of the default kind does not know who gives it back. */
static void *give(void *arg)
{
    for (;;) {
        while (atomic_load(&crossed) != 2)
            nap();
        nap();
        atomic_store(&crossed, 0);
        pthread_mutex_unlock(&a);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    char line[16];

    atomic_store(&gives, argc > 1 && !strcmp(argv[1], "given"));
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, work, NULL);
    pthread_create(&thread, NULL, work, &both);
    if (atomic_load(&gives))
        pthread_create(&thread, NULL, give, NULL);
    printf("ready %d\n", getpid());
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        printf("%ld\n", atomic_load(&rounds));
        fflush(stdout);
    }
    return 0;
}
