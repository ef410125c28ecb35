/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock in OpenMP: a pthread of the program holds a lock and waits for a condition that anybody may
 * signal. */
#include "verdict.h"

#include <pthread.h>

static omp_lock_t socket_lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int taken, messages;

static void *listen(void *unused)
{
    (void)unused;
    omp_set_lock(&socket_lock);
    truth_set(&taken, 1);
    pthread_mutex_lock(&mutex);
    while (!messages) {
        VERDICT_STAYS("A");
        pthread_cond_wait(&arrived, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    VERDICT(3, 0, "none", "",
            "2 threads wait for lock socket_lock at {B.at}, held by {A}, which waits for "
            "condition variable arrived at {A.at}.");
    omp_init_lock(&socket_lock);
    pthread_t listener;
    if (pthread_create(&listener, NULL, listen, NULL) != 0)
        return 3;
    truth_await(&taken, 1);
#pragma omp parallel num_threads(2)
    {
        VERDICT_STAYS("B");
        omp_set_lock(&socket_lock);
    }
}
