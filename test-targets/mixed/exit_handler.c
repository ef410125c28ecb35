/* SPDX-License-Identifier: Apache-2.0 */
/* exit() runs a function that wants the lock of a thread which waits for what only the others could do. */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

#include "say.h"

static omp_lock_t files;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static int tid[2], held[2];

static void at_end(void)
{
    say(__LINE__ + 1, "openmp", "futex", "'wait':'lock','name':'files','owner':%d", tid[1]);
    omp_set_lock(&files);
    omp_unset_lock(&files);
}

int main(void)
{
    say_verdict(2, "deadlock");
    omp_init_lock(&files);
    atexit(at_end);
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();

        tid[me] = say_tid();
        if (me == 0) {
            pthread_mutex_lock(&list);
            say_set(&held[0], 1);
            say_await(&held[1], 1);
            exit(0);
        } else {
            omp_set_lock(&files);
            say_set(&held[1], 1);
            say_await(&held[0], 1);
            SAY_MUTEX("list", &list, tid[0]);
            pthread_mutex_lock(&list);
            say_after();
        }
    }
}
