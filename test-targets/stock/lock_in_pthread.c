/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pthread that has been in no region waits for a lock; a member of a region holds it. Another pthread has a
 * region of its own. libgomp has no record of the first one.
 */
#include "truth.h"

#include <pthread.h>

static omp_lock_t lock;
static int owner;

static void *waits(void *unused)
{
    (void)unused;
    truth_root(1);
    truth_waits("wait_lock", "lock", &lock, truth_get(&owner), "lock", __LINE__ + 1);
    omp_set_lock(&lock);
    truth_set(&owner, 0);
    return NULL;
}

static void *forks(void *unused)
{
    (void)unused;
#pragma omp parallel num_threads(2)
    {
        truth_root(2);
        if (omp_get_thread_num() == 1) {
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
    return NULL;
}

int main(void)
{
    truth_start("lock_in_pthread", 5, 0, 0);
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        pthread_t other;

        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            truth_set(&owner, truth_tid());
            if (pthread_create(&other, NULL, waits, NULL) == 0) {
                truth_works();
                busy_here();
            }
        }
        truth_await(&owner, 1);
        if (pthread_create(&other, NULL, forks, NULL) == 0)
            truth_barrier("wait_barrier_implicit_parallel", 0);
    }
}
