/* SPDX-License-Identifier: Apache-2.0 */
/* The initial thread waits for a lock outside of any region; a foreign thread holds it. */
#include "truth.h"

#include <pthread.h>

static omp_lock_t gate;
static int owner;

static void *holds(void *unused)
{
    (void)unused;
    omp_set_lock(&gate);
    truth_root(1);
    truth_set(&owner, truth_tid());
    truth_works();
    busy_here();
    return NULL;
}

int main(void)
{
    pthread_t other;

    truth_start("serial_lock", 2, 0, 0);
    omp_init_lock(&gate);
    if (pthread_create(&other, NULL, holds, NULL) != 0)
        return 3;
    truth_await(&owner, 1);
    truth_waits("wait_lock", "lock", &gate, truth_get(&owner), "gate", 0);
    omp_set_lock(&gate);
    return truth_get(&owner);
}
