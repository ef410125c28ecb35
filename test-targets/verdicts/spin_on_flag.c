/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread spins on a flag that one at the barrier was to set: it hangs, but not in OpenMP, where it looks
 * like any computation. The verdict names the loop.
 */
#include "verdict.h"

static int flag, spinning;

__attribute__((noinline)) static void wait_for_flag(void)
{
    verdict_thread("B", 0);
    truth_set(&spinning, 1);
    while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
    }
}

int main(void)
{
    VERDICT(1, 0, "none", "",
            "The team of 2 waits at the barrier at {A.at} for {B}, which computes in wait_for_flag at "
            "spin_on_flag.c:~.");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            wait_for_flag();
        truth_await(&spinning, 1);
        VERDICT_STAYS("A");
#pragma omp barrier
        __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    }
}
