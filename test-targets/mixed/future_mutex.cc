// SPDX-License-Identifier: Apache-2.0
// A thread of a team waits for a future while it holds the mutex that the future's thread wants.
#include <omp.h>

#include <future>
#include <mutex>

#include "say.h"

static std::mutex results;
static int held, tid;

static int produce()
{
    say_await(&held, 1);
    SAY_MUTEX("results", &results, tid);
    std::lock_guard<std::mutex> guard(results);
    return held;
}

int main()
{
    say_verdict(3, "unknown");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            std::future<int> answer = std::async(std::launch::async, produce);
            std::lock_guard<std::mutex> guard(results);
            tid = say_tid();
            say_set(&held, 1);
            SAY("future", "futex", "%s", "");
            answer.wait();
            say_set(&held, 2);
        } else {
            SAY_BARRIER();
        }
    }
}
