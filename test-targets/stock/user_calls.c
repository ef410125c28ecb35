/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In user code, asleep: in a mutex, a condition, a semaphore, and in the kernel's futex with the address of
 * an OpenMP lock. None of them waits in OpenMP.
 */
#define _GNU_SOURCE
#include "truth.h"

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

static omp_lock_t gate;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

static void never(int number)
{
    switch (number) {
    case 0:
        pthread_mutex_lock(&mutex);
        break;
    case 1:
        for (pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;;)
            if (pthread_mutex_lock(&own) == 0)
                pthread_cond_wait(&condition, &own);
        break;
    case 2:
        sem_wait(&semaphore);
        break;
    default:
        syscall(SYS_futex, &gate, FUTEX_WAIT_PRIVATE, *(const int *)&gate, NULL, NULL, 0);
    }
}

int main(void)
{
    truth_start("user_calls", 4, 0, 0);
    omp_init_lock(&gate);
    omp_set_lock(&gate);
    pthread_mutex_lock(&mutex);
    sem_init(&semaphore, 0, 0);
#pragma omp parallel num_threads(4)
    {
        truth_works();
        never(omp_get_thread_num());
        busy_here();
    }
}
