/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex in memory of two processes: its owner is the other one. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "say.h"

static struct shared {
    pthread_mutex_t mutex;
    int held, tid;
} * shared;

static void child(void)
{
    prctl(PR_SET_PDEATHSIG, 9);
    pthread_mutex_lock(&shared->mutex);
    shared->tid = say_tid();
    say_set(&shared->held, 1);
    for (;;)
        pause();
}

int main(void)
{
    pthread_mutexattr_t kind;

    say_verdict(2, "unknown");
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &kind);
    if (fork() == 0)
        child();
    say_await(&shared->held, 1);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            SAY_FOREIGN("shared->mutex", &shared->mutex, "process", shared->tid);
            pthread_mutex_lock(&shared->mutex);
            pthread_mutex_unlock(&shared->mutex);
        } else {
            SAY_BARRIER();
        }
    }
}
