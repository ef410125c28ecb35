// SPDX-License-Identifier: Apache-2.0
// May go on: a lock says that a transfer is complete, and a thread that is none of OpenMP's gives it back.
#include <thread>

#include "verdict.h"

static omp_lock_t complete;

static void transfer()
{
    busy_here();
    omp_unset_lock(&complete);
}

int main()
{
    VERDICT(3, 0, "suspected", "A",
            "Suspected deadlock: {A} waits for lock complete at {A.at}, which it already holds. 2 more "
            "threads would "
            "also wait forever. This is not proved: only {observer} and ~ ~ may still go on and could "
            "release it.");
    omp_init_lock(&complete);
    omp_set_lock(&complete);
    std::thread io(transfer);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            VERDICT_STAYS("A");
            omp_set_lock(&complete);
        }
        VERDICT_STAYS_SOMEWHERE("B");
    }
    io.join();
}
