// SPDX-License-Identifier: Apache-2.0
// A detached task's event is fulfilled by a thread that sleeps; nobody can know that it will.
#include <omp.h>

#include <chrono>
#include <thread>

#include "say.h"

int main()
{
    say_verdict(2, "none unknown");
    std::thread io;
#pragma omp parallel num_threads(3)
#pragma omp master
    {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(io)
        {
            io = std::thread([event] {
                SAY_SLEEP();
                std::this_thread::sleep_for(std::chrono::seconds(SAY_LONG));
                omp_fulfill_event(event);
            });
        }
        say(0, "openmp", "futex", "'wait':'taskwait'");
#pragma omp taskwait
    }
    io.join();
}
