/* SPDX-License-Identifier: Apache-2.0 */
/* A lock as a semaphore: thread 0 waits for what it holds itself, and thread 1 will give it back. */
#define _GNU_SOURCE
#include <omp.h>
#include <unistd.h>

#include "say.h"

static omp_lock_t go;

int main(void)
{
    say_verdict(2, "suspected");
    omp_init_lock(&go);
    omp_set_lock(&go);
    const int owner = say_tid();
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            SAY_LOCK("go", &go, owner);
            omp_set_lock(&go);
        } else {
            SAY_SLEEP();
            sleep(SAY_LONG);
            omp_unset_lock(&go);
        }
    }
}
