/* SPDX-License-Identifier: Apache-2.0 */
/* wheels.c: has had a team of three, whose workers are idle. Its thread holds the mutex. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

extern pthread_mutex_t held;
extern atomic_int holder;

void *run(void *arg)
{
    atomic_int sum = 0;

#pragma omp parallel num_threads(3)
    sum++;
    pthread_mutex_lock(&held);
    holder = gettid() + (sum - 3);
    for (;;)
        pause();
    return arg;
}
