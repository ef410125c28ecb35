/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: three threads wait at a barrier for one that computes for hours. */
#include "verdict.h"

static int computing;
static volatile double sum;

__attribute__((noinline)) static void integrate(void)
{
    verdict_thread("B", 0);
    truth_set(&computing, 1);
    for (;;)
        sum = sum * 0.5 + 1.0;
}

int main(void)
{
    VERDICT(3, 0, "none", "",
            "The team of 4 waits at the barrier at {A.at} for {B}, which computes in integrate at "
            "long_computation.c:~.");
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 2)
            integrate();
        truth_await(&computing, 1);
        VERDICT_STAYS("A");
#pragma omp barrier
    }
}
