// SPDX-License-Identifier: Apache-2.0
// A thread of a team waits for a promise, which a thread that reads would keep.
#include <omp.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "say.h"

static std::promise<int> answer;

int main()
{
    const int silent = say_silent();
    say_verdict(3, "unknown");
    std::thread reader([silent] {
        char byte = 0;
        SAY("read", "read", "'call':'read','descriptor':%d", silent);
        answer.set_value(static_cast<int>(read(silent, &byte, 1)));
    });
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            std::future<int> result = answer.get_future();
            SAY("future", "futex", "%s", "");
            result.wait();
            say_after();
        } else {
            SAY_BARRIER();
        }
    }
    reader.join();
}
