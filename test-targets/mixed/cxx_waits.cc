// SPDX-License-Identifier: Apache-2.0
// Each thread of a team waits in another class of C++20: semaphore, latch, barrier.
#include <omp.h>

#include <barrier>
#include <latch>
#include <semaphore>

#include "say.h"

static std::counting_semaphore<8> tickets(0);
static std::latch started(5);
static std::barrier step(5);

int main()
{
    say_verdict(3, "unknown");
#pragma omp parallel num_threads(3)
    switch (omp_get_thread_num()) {
    case 0:
        SAY("semaphore", "futex", "'call':'std::counting_semaphore::acquire'");
        tickets.acquire();
        say_after();
        break;
    case 1:
        SAY("barrier", "futex", "'call':'std::latch::wait|std::atomic::wait'");
        started.wait();
        say_after();
        break;
    default:
        SAY("barrier", "futex", "'call':'std::barrier::wait'");
        step.arrive_and_wait();
        say_after();
    }
}
