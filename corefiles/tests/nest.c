/* SPDX-License-Identifier: Apache-2.0 */
/* Regions in regions by recursion, so that all have one body: worker 1 of each waits in it. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static void nest(int depth)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0 && depth > 1)
            nest(depth - 1);
        if (omp_get_thread_num() == 0 && depth == 1) {
            puts("ready");
            fflush(stdout);
        }
        for (;;)
            pause();
    }
}

int main(void)
{
    omp_set_max_active_levels(3);
    nest(3);
}
