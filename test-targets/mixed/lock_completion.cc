// SPDX-License-Identifier: Apache-2.0
// A lock is the sign that a thread of no team has finished: it gives back what another one holds.
#include <omp.h>

#include <chrono>
#include <thread>

#include "say.h"

static omp_lock_t io_done;

int main()
{
    say_verdict(2, "suspected");
    omp_init_lock(&io_done);
    omp_set_lock(&io_done);
    const int me = say_tid();
    std::thread io([] {
        SAY_SLEEP();
        std::this_thread::sleep_for(std::chrono::seconds(SAY_LONG));
        omp_unset_lock(&io_done);
    });
#pragma omp parallel num_threads(3)
#pragma omp master
    {
        SAY_LOCK("io_done", &io_done, me);
        omp_set_lock(&io_done);
    }
    io.join();
}
