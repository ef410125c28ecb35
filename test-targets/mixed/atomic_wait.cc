// SPDX-License-Identifier: Apache-2.0
// std::atomic::wait in a team; a thread of no team reads.
#include <omp.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "say.h"

static std::atomic<int> turn{0};

int main()
{
    const int silent = say_silent();
    say_verdict(3, "unknown");
    std::thread reader([silent] {
        char byte = 0;
        SAY("read", "read", "'call':'read','descriptor':%d", silent);
        const ssize_t got = read(silent, &byte, 1);
        turn = static_cast<int>(got);
    });
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            SAY("atomic", "futex", "'name':'turn','object':'%p'", &turn);
            turn.wait(0);
            turn++;
        } else {
            SAY_BARRIER();
        }
    }
    reader.join();
}
