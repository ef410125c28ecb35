// SPDX-License-Identifier: Apache-2.0
// A critical construct and a std::mutex in the wrong order; the third thread of the team is at its end.
#include <omp.h>

#include <mutex>

#include "say.h"

static std::mutex log_mutex;
static int tid[3], held[3];

static void log_line()
{
    SAY_MUTEX("log_mutex", &log_mutex, tid[1]);
    std::lock_guard<std::mutex> guard(log_mutex);
}

static void update()
{
#pragma omp critical(best)
    {
        say_set(&held[2], 1);
        say_await(&held[1], 1);
        log_line();
    }
}

static void report()
{
    std::lock_guard<std::mutex> guard(log_mutex);
    say_set(&held[1], 1);
    say_await(&held[2], 1);
    say(0, "openmp", "futex", "'wait':'critical','name':'best','owner':%d", tid[2]);
#pragma omp critical(best)
    say_set(&held[0], 1);
}

int main()
{
    say_verdict(3, "deadlock");
#pragma omp parallel num_threads(3)
    {
        const int me = omp_get_thread_num();
        tid[me] = say_tid();
        if (me == 1)
            report();
        else if (me == 2)
            update();
        else
            SAY_BARRIER();
    }
}
