// SPDX-License-Identifier: Apache-2.0
// Deadlock: a thread waits for a mutex of the program, whose owner waits at a barrier for that thread.
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
    VERDICT(3, 0, "deadlock", "B A",
            "Deadlock: {B} holds mutex registry and waits at the barrier at {B.at} for {A}; {A} waits for "
            "mutex registry at {A.at}. 1 more thread also waits forever.");
    registry.lock();
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2)
            enlist();
        VERDICT_STAYS("B");
#pragma omp barrier
    }
}
