/* SPDX-License-Identifier: Apache-2.0 */
/* One thread in a section; the others found none and wait at the end of the construct. */
#include "truth.h"

static int taken;

int main(void)
{
    truth_start("sections", 4, 0, 1);
#pragma omp parallel num_threads(4)
    {
        /* The primary thread comes first, and so has the section: it takes its word back. */
        truth_barrier(TRUTH_LAST_WORKSHARE, 0);
        if (omp_get_thread_num() != 0)
            truth_await(&taken, 1);
#pragma omp sections
        {
#pragma omp section
            {
                truth_set(&taken, 1);
                truth_works();
                busy_here();
            }
        }
    }
}
