/* SPDX-License-Identifier: Apache-2.0 */
/* wheels.c: a team of four. Member 2 computes until it gets its signal, the others wait for it. */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

extern atomic_int members[4], at_barrier;
extern pthread_t handles[4];

void *run(void *arg)
{
#pragma omp parallel num_threads(4) /* REGION */
    {
        const int me = omp_get_thread_num();

        handles[me] = pthread_self();
        members[me] = gettid();
        if (me == 2)
            for (;;)
                pause();
        at_barrier++;
#pragma omp barrier /* BARRIER */
    }
    return arg;
}
