// SPDX-License-Identifier: Apache-2.0
// The destructor of a thread's variable wants the mutex that the thread which joins it holds.
#include <omp.h>

#include <mutex>
#include <thread>

#include "say.h"

static std::mutex registry;
static int tid[2], joined;

struct Member {
    int number = 0;
    __attribute__((noinline)) ~Member()
    {
        tid[1] = say_tid();
        say_await(&joined, 1);
        SAY_MUTEX("registry", &registry, tid[0]);
        registry.lock();
        say_after();
        registry.unlock();
    }
};

static thread_local Member member;

int main()
{
    say_verdict(2, "deadlock");
#pragma omp parallel num_threads(2)
#pragma omp master
    {
        std::lock_guard<std::mutex> lock(registry);
        tid[0] = say_tid();
        std::thread worker([] { member.number = 1; });
        say_await(&tid[1], 1);
        say_set(&joined, 1);
        SAY("join", "futex", "'call':'pthread_join','owner':%d", tid[1]);
        worker.join();
        say_after();
    }
}
