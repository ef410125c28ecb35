/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of a team wait for semaphores, with a limit and without; one sleeps. */
#define _GNU_SOURCE
#include <omp.h>
#include <semaphore.h>
#include <time.h>

#include "say.h"

static sem_t items, slots;

int main(void)
{
    say_verdict(3, "none");
    sem_init(&items, 0, 0);
    sem_init(&slots, 0, 0);
#pragma omp parallel num_threads(3)
    {
        struct timespec until, long_time = {SAY_LONG, 0};

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += SAY_LONG;
        switch (omp_get_thread_num()) {
        case 0:
            SAY_OBJECT("semaphore", "sem_wait", "items", &items, 32, 0);
            sem_wait(&items);
            break;
        case 1:
            SAY_LIMITED("semaphore", "sem_timedwait", "slots", &slots, 32);
            sem_timedwait(&slots, &until);
            break;
        default:
            SAY_SLEEP();
            nanosleep(&long_time, NULL);
        }
        say_after();
    }
}
