// SPDX-License-Identifier: Apache-2.0
// A hang that OpenMP has no part in: a thread waits for a mutex of the program, the team for that thread.
#include "verdict.h"

#include <mutex>

static std::mutex registry;

static void enlist()
{
    VERDICT_STAYS("A");
    registry.lock();
}

int main()
{
    VERDICT(3, 0, "none", "",
            "The team of 3 waits at the barrier at {B.at} for {A}, which is in std::mutex::lock(), called "
            "from enlist() at {A.at}.");
    registry.lock();
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2)
            enlist();
        VERDICT_STAYS("B");
#pragma omp barrier
    }
}
