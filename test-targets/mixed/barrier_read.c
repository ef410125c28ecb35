/* SPDX-License-Identifier: Apache-2.0 */
/* A pthread barrier whose last comer reads from a pipe. */
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "say.h"

static pthread_barrier_t all;

int main(void)
{
    const int silent = say_silent();

    say_verdict(3, "unknown");
    pthread_barrier_init(&all, NULL, 3);
#pragma omp parallel num_threads(3)
    {
        char byte;

        if (omp_get_thread_num() == 2) {
            SAY("read", "read", "'call':'read','descriptor':%d", silent);
            if (read(silent, &byte, 1) == 1)
                say_after();
        }
        if (omp_get_thread_num() != 2)
            SAY_OBJECT("barrier", "pthread_barrier_wait", "all", &all, 32, 0);
        pthread_barrier_wait(&all);
        say_after();
    }
}
