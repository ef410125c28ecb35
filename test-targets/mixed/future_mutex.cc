// SPDX-License-Identifier: Apache-2.0
// A thread of a team waits for the future of a std::async, which is for its thread's end, while it holds the
// mutex that this thread wants.
#include <omp.h>

#include <future>
#include <mutex>

#include "say.h"

static std::mutex results;
static int held, tid, maker;

static int produce()
{
    maker = say_tid();
    say_await(&held, 1);
    SAY_MUTEX("results", &results, tid);
    std::lock_guard<std::mutex> guard(results);
    return held;
}

int main()
{
    say_verdict(3, "deadlock");
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            std::future<int> answer = std::async(std::launch::async, produce);
            std::lock_guard<std::mutex> guard(results);
            tid = say_tid();
            say_await(&maker, 1);
            say_set(&held, 1);
            SAY("join", "futex", "'call':'pthread_join','owner':%d", maker);
            answer.wait();
            say_set(&held, 2);
        } else {
            SAY_BARRIER();
        }
    }
}
