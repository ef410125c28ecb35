/* SPDX-License-Identifier: Apache-2.0 */
/* A pthread spin lock whose owner sleeps. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "say.h"

static pthread_spinlock_t gate;
static int held;

int main(void)
{
    say_verdict(2, "none");
    pthread_spin_init(&gate, PTHREAD_PROCESS_PRIVATE);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            pthread_spin_lock(&gate);
            say_set(&held, 1);
            SAY_SLEEP();
            sleep(SAY_LONG);
            pthread_spin_unlock(&gate);
        } else {
            say_await(&held, 1);
            SAY("spinlock", "none", "'call':'pthread_spin_lock','name':'gate'");
            pthread_spin_lock(&gate);
            pthread_spin_unlock(&gate);
        }
    }
}
