// SPDX-License-Identifier: Apache-2.0
// Two threads of a team, two std::mutex in the wrong order.
#include <omp.h>

#include <mutex>

#include "say.h"

static std::mutex first, second;
static int tid[2], held[2];

// Functions of their own: the compiler would make one call of the two.
__attribute__((noinline)) static void forward()
{
    std::lock_guard<std::mutex> outer(first);
    say_set(&held[0], 1);
    say_await(&held[1], 1);
    SAY_MUTEX("second", &second, tid[1]);
    std::lock_guard<std::mutex> inner(second);
    say_after();
}

__attribute__((noinline)) static void backward()
{
    std::lock_guard<std::mutex> outer(second);
    say_set(&held[1], 1);
    say_await(&held[0], 1);
    SAY_MUTEX("first", &first, tid[0]);
    std::lock_guard<std::mutex> inner(first);
    say_after();
}

int main()
{
    say_verdict(2, "deadlock");
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        tid[me] = say_tid();
        if (me == 0)
            forward();
        else
            backward();
    }
}
