/* SPDX-License-Identifier: Apache-2.0 */
/* Stuck: a pthread takes a lock and ends; a thread of a region waits for the lock. */
#include "verdict.h"

#include <pthread.h>

static omp_lock_t config;

static void *load(void *unused)
{
    (void)unused;
    omp_set_lock(&config);
    return NULL;
}

int main(void)
{
    VERDICT(2, 0, "stuck", "",
            "Stuck: {B} waits for lock config at {B.at}, and the thread that holds it has ended. 1 more "
            "thread also waits forever.");
    omp_init_lock(&config);
    pthread_t loader;
    if (pthread_create(&loader, NULL, load, NULL) != 0 || pthread_join(loader, NULL) != 0)
        return 3;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            VERDICT_STAYS("B");
            omp_set_lock(&config);
        }
        VERDICT_STAYS_SOMEWHERE("A");
    }
}
