/* SPDX-License-Identifier: Apache-2.0 */
/* A library that a program loads when it runs. One thread of a team does not come to the barrier; each says
 * its thread ID and number before. */
#include <omp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

void held(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp critical
        {
            printf("%ld %d\n", syscall(SYS_gettid), omp_get_thread_num());
            fflush(stdout);
        }
        while (omp_get_thread_num() == 1)
            pause();
#pragma omp barrier
    }
}
