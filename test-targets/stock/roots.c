/* SPDX-License-Identifier: Apache-2.0 */
/* Three initial threads, each with a region of its own, one of them with a nested one. */
#include "truth.h"

#include <pthread.h>

static void *of_two(void *unused)
{
    (void)unused;
#pragma omp parallel num_threads(2)
    {
        truth_root(1);
        if (omp_get_thread_num() == 0) {
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
    return NULL;
}

static void *of_three(void *unused)
{
    (void)unused;
    omp_set_max_active_levels(4); /* a thread's own */
#pragma omp parallel num_threads(3)
    {
        truth_root(2);
        if (omp_get_thread_num() == 2) {
#pragma omp parallel num_threads(2)
            {
                truth_root(2);
                if (omp_get_thread_num() == 1) {
                    truth_works();
                    busy_here();
                }
                truth_barrier("wait_barrier_implicit_parallel", 0);
            }
        }
        truth_barrier("wait_barrier_implicit_parallel", 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    truth_start("roots", 10, 0, 0);
    if (pthread_create(&a, NULL, of_two, NULL) != 0 || pthread_create(&b, NULL, of_three, NULL) != 0)
        return 3;
#pragma omp parallel num_threads(4)
    {
        truth_works();
        busy_here();
    }
}
