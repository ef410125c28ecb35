// SPDX-License-Identifier: Apache-2.0
// A std::jthread waits for a word or its end; a task waits until it ends, and has not asked it to.
#include <omp.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "say.h"

static std::mutex mutex;
static std::condition_variable_any work_came;
static bool work;
static int tid;

int main()
{
    say_verdict(3, "unknown");
    std::jthread worker([](std::stop_token stop) {
        std::unique_lock<std::mutex> lock(mutex);
        SAY("condition", "futex", "%s", "'call':'pthread_cond_wait'");
        work_came.wait(lock, stop, [] { return work; });
        say_after();
    });
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            say_set(&tid, say_tid());
            SAY("join", "futex", "'call':'pthread_join'");
            worker.join();
            say_after();
        }
        say_await(&tid, 1);
        say(0, "openmp", "futex", "%s", "'wait':'taskwait'");
#pragma omp taskwait
    }
}
