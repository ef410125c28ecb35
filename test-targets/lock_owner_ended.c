/* SPDX-License-Identifier: Apache-2.0 */
/* A foreign pthread takes a lock and ends; a thread of a region waits for the lock for ever. */
#include "truth.h"

#include <pthread.h>

static omp_lock_t orphan;
static int owner;

static void *take_and_end(void *unused)
{
    (void)unused;
    omp_set_lock(&orphan);
    truth_set(&owner, truth_tid());
    return NULL;
}

int main(void)
{
    truth_start("lock_owner_ended", 2, 0, 0);
    omp_init_lock(&orphan);
    pthread_t foreign;
    if (pthread_create(&foreign, NULL, take_and_end, NULL) != 0 || pthread_join(foreign, NULL) != 0)
        return 3;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            truth_waits_for_ended("wait_lock", "lock", &orphan, truth_get(&owner), "orphan", __LINE__ + 1);
            omp_set_lock(&orphan);
        }
        truth_works();
        busy_here();
    }
}
