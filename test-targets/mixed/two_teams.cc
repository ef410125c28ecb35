// SPDX-License-Identifier: Apache-2.0
// Two threads with a team each; between the teams two mutexes are taken in the wrong order.
#include <omp.h>

#include <mutex>
#include <thread>

#include "say.h"

struct Side {
    std::mutex mutex;
    int held = 0, tid = 0;
};
static Side sides[2];

static void solve(int me)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            Side &mine = sides[me], &other = sides[1 - me];
            std::lock_guard<std::mutex> outer(mine.mutex);
            mine.tid = say_tid();
            say_set(&mine.held, 1);
            say_await(&other.held, 1);
            SAY_MUTEX(me ? "sides[0].mutex" : "sides[1].mutex", &other.mutex, other.tid);
            std::lock_guard<std::mutex> inner(other.mutex);
            say_set(&mine.held, 2);
        } else {
            SAY_BARRIER();
        }
    }
}

int main()
{
    say_verdict(5, "deadlock");
    std::thread first(solve, 0), second(solve, 1);
    SAY("join", "futex", "%s", "");
    first.join();
    second.join();
}
