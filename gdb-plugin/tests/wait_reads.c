/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads in each kind of wait of the thread library, and in other calls: MANY of each.
 *
 * usage: wait_reads MANY
 *
 * Prints "TID KIND" of each, and "rest" when all of them sleep in the kernel; then it calls held().
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t holder;
static sem_t semaphore;
static mtx_t plain;
static cnd_t signalled;
static int pipes[2];
static struct timespec end;
static _Atomic int left;

static void pause_always(void)
{
    for (;;)
        pause();
}

static void wait_mutex(void)
{
    pthread_mutex_lock(&mutex);
}
static void wait_read(void)
{
    pthread_rwlock_rdlock(&rwlock);
}
static void wait_write(void)
{
    pthread_rwlock_wrlock(&rwlock);
}
static void wait_barrier(void)
{
    pthread_barrier_wait(&barrier);
}
static void wait_semaphore(void)
{
    sem_wait(&semaphore);
}
static void wait_join(void)
{
    pthread_join(holder, NULL);
}
static void wait_once(void)
{
    pthread_once(&once, pause_always);
}
static void wait_plain(void)
{
    mtx_lock(&plain);
}
static void wait_condition(void)
{
    pthread_mutex_lock(&other);
    pthread_cond_wait(&condition, &other);
}
static void wait_signalled(void)
{
    mtx_t own;

    mtx_init(&own, mtx_plain);
    mtx_lock(&own);
    cnd_wait(&signalled, &own);
}
static void wait_timed_mutex(void)
{
    struct timespec own = end; /* on the stack, as programs have it */

    pthread_mutex_timedlock(&mutex, &own);
}
static void wait_timed_semaphore(void)
{
    struct timespec own = end;

    sem_timedwait(&semaphore, &own);
}
static void call_read(void)
{
    char byte;

    if (read(pipes[0], &byte, 1) == 1)
        abort();
}
static void call_wait(void)
{
    sigwaitinfo(&(sigset_t){0}, NULL);
}

static const struct kind {
    const char *name;
    void (*wait)(void);
} kinds[] = {
    {"mutex", wait_mutex},         {"rwlock", wait_read},         {"rwlock", wait_write},
    {"barrier", wait_barrier},     {"semaphore", wait_semaphore}, {"join", wait_join},
    {"once", wait_once},           {"mutex", wait_plain},         {"condition", wait_condition},
    {"condition", wait_signalled}, {"mutex", wait_timed_mutex},   {"semaphore", wait_timed_semaphore},
    {"signal", pause_always},      {"read", call_read},           {"signal", call_wait},
};

static void *run(void *arg)
{
    const struct kind *kind = arg;

    printf("%ld %s\n", syscall(SYS_gettid), kind->name);
    fflush(stdout);
    left--;
    kind->wait();
    pause_always();
    return NULL;
}

/* Has what holds the others. */
static void *hold(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    mtx_lock(&plain);
    left--;
    pthread_once(&once, pause_always);
    return NULL;
}

/* Does the thread sleep in a system call? */
static int sleeps(const char *tid)
{
    char path[64], state[256] = "";
    FILE *f;

    snprintf(path, sizeof(path), "/proc/self/task/%.16s/syscall", tid);
    f = fopen(path, "r");
    if (f && !fgets(state, sizeof(state), f))
        state[0] = '\0';
    if (f)
        fclose(f);
    return state[0] >= '0' && state[0] <= '9';
}

/* How many threads but this one do. */
static int sleepers(void)
{
    DIR *list = opendir("/proc/self/task");
    int count = 0;

    for (struct dirent *one; list && (one = readdir(list)) != NULL;)
        count += one->d_name[0] != '.' && atoi(one->d_name) != getpid() && sleeps(one->d_name);
    if (list)
        closedir(list);
    return count;
}

__attribute__((noinline)) static void held(void)
{
    __asm__ volatile("");
}

int main(int argc, char **argv)
{
    const int each = argc == 2 ? atoi(argv[1]) : 0, count = each * (int)(sizeof(kinds) / sizeof(*kinds));
    pthread_attr_t small;
    pthread_t thread;

    if (pipe(pipes) || clock_gettime(CLOCK_REALTIME, &end))
        return 2;
    end.tv_sec += 1000;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    pthread_barrier_init(&barrier, NULL, (unsigned)each + 1);
    sem_init(&semaphore, 0, 0);
    mtx_init(&plain, mtx_plain);
    cnd_init(&signalled);
    left = 1;
    if (pthread_create(&holder, &small, hold, NULL))
        return 2;
    while (left)
        sched_yield();
    left = count;
    for (int i = 0; i < count; i++)
        if (pthread_create(&thread, &small, run, (void *)&kinds[i / (each ? each : 1)]))
            return 2;
    while (left)
        sched_yield();
    while (sleepers() < count + 1)
        sched_yield();
    puts("rest");
    fflush(stdout);
    held();
    pause_always();
}
