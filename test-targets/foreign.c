/* SPDX-License-Identifier: Apache-2.0 */
/* While main is in a region of 3, a foreign pthread has its own region of 2; another has no OpenMP. */
#include "truth.h"

#include <pthread.h>

static int ready;

static void *own_region(void *unused)
{
    (void)unused;
#pragma omp parallel num_threads(2)
    {
        truth_root(1);
        if (omp_get_thread_num() == 1) {
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
    return NULL;
}

static void *no_openmp(void *unused)
{
    (void)unused;
    truth_not_openmp();
    truth_set(&ready, 1);
    busy_here();
    return NULL;
}

int main(void)
{
    truth_start("foreign", 5, 0, 0);
    pthread_t a, b;
    if (pthread_create(&a, NULL, no_openmp, NULL) != 0)
        return 3;
    truth_await(&ready, 1);
    if (pthread_create(&b, NULL, own_region, NULL) != 0)
        return 3;
#pragma omp parallel num_threads(3)
    {
        truth_works();
        busy_here();
    }
}
