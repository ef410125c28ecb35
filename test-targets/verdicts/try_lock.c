/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: two locks in opposite orders, but one thread only tests, and could still release its own. */
#include "verdict.h"

static omp_lock_t near_end, far_end;
static int holds[2];

__attribute__((noinline)) static void take_both(void)
{
    omp_set_lock(&near_end);
    verdict_thread("A", 0);
    truth_set(&holds[0], 1);
    truth_await(&holds[1], 1);
    for (long tries = 0; !omp_test_lock(&far_end); tries++) {
    }
}

int main(void)
{
    VERDICT(1, 0, "none", "",
            "1 thread waits for lock near_end at {B.at}, held by {A}, which "
            "{computes in|is in the OpenMP runtime, called from} take_both at try_lock.c:~.");
    omp_init_lock(&near_end);
    omp_init_lock(&far_end);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            take_both();
        } else {
            omp_set_lock(&far_end);
            truth_set(&holds[1], 1);
            truth_await(&holds[0], 1);
            VERDICT_STAYS("B");
            omp_set_lock(&near_end);
        }
    }
}
