/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: a thread reads from a slow partner with a lock that the others wait for. */
#include "verdict.h"

#include <unistd.h>

static omp_lock_t input;
static int taken;

static void receive(void)
{
    char byte;
    int from = verdict_silent_pipe();
    omp_set_lock(&input);
    truth_set(&taken, 1);
    VERDICT_STAYS("A");
    if (read(from, &byte, 1) < 0)
        omp_unset_lock(&input);
}

int main(void)
{
    VERDICT(3, 0, "none", "",
            "2 threads wait for lock input at {B.at}, held by {A}, which waits in read for "
            "{descriptor}, called from receive at {A.at}.");
    omp_init_lock(&input);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0)
            receive();
        truth_await(&taken, 1);
        VERDICT_STAYS("B");
        omp_set_lock(&input);
    }
}
