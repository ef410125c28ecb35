/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Twelve target regions with nowait, which the host executes. Each that begins writes its thread's number,
 * its level and the kernel's number of the thread, and stops for ever.
 */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        for (int i = 0; i < 12; i++) {
#pragma omp target nowait
            {
                printf("%d %d %d\n", omp_get_thread_num(), omp_get_level(), gettid());
                fflush(stdout);
                for (;;)
                    pause();
            }
        }
        for (;;)
            pause();
    }
}
