// SPDX-License-Identifier: Apache-2.0
// One thread of a team waits for a condition in a critical construct, the others for that; a thread of no
// team sleeps.
#include <omp.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "say.h"

static std::mutex mutex;
static std::condition_variable ready_now;
static bool ready;
static int in, owner;

int main()
{
    say_verdict(4, "none");
    std::thread timer([] {
        SAY_SLEEP();
        std::this_thread::sleep_for(std::chrono::seconds(SAY_LONG));
        ready_now.notify_all();
    });
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() != 1) {
            say_await(&in, 1);
            say(0, "openmp", "futex", "'wait':'critical','name':'c','owner':%d", owner);
        }
#pragma omp critical(c)
        {
            std::unique_lock<std::mutex> lock(mutex);
            owner = say_tid();
            say_set(&in, 1);
            SAY_OBJECT("condition", "pthread_cond_wait", "ready_now", &ready_now, 48, 0);
            ready_now.wait(lock, [] { return ready; });
        }
    }
    timer.join();
}
