/* SPDX-License-Identifier: Apache-2.0 */
/* The barrier at the end of sections in the middle of a region. */
#include "truth.h"

static int first, all;

int main(void)
{
    truth_start("sections_end", 3, 0, 0);
#pragma omp parallel num_threads(3)
    {
#pragma omp sections
        {
#pragma omp section
            {
                truth_set(&first, 1);
                truth_works();
                busy_here();
            }
#pragma omp section
            {
                truth_barrier("wait_barrier_implicit_workshare", 0);
                __atomic_fetch_add(&all, 1, __ATOMIC_ACQ_REL);
                truth_await(&all, 2);
            }
#pragma omp section
            {
                truth_barrier("wait_barrier_implicit_workshare", 0);
                __atomic_fetch_add(&all, 1, __ATOMIC_ACQ_REL);
                truth_await(&all, 2);
            }
        }
        truth_set(&first, 2);
    }
}
