/* SPDX-License-Identifier: Apache-2.0 */
/* Regions in regions by recursion, so that all have one body: worker 1 of each waits in it. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { DEPTH = 3 };

static atomic_int waiting; /* workers, which have begun */

static void nest(int depth)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            waiting++;
        if (omp_get_thread_num() == 0 && depth > 1)
            nest(depth - 1);
        if (omp_get_thread_num() == 0 && depth == 1) {
            while (waiting < DEPTH)
                usleep(1000);
            puts("ready");
            fflush(stdout);
        }
        for (;;)
            pause();
    }
}

int main(void)
{
    omp_set_max_active_levels(DEPTH);
    nest(DEPTH);
}
