// SPDX-License-Identifier: Apache-2.0
// Whoever runs a std::call_once waits for a lock of one that waits for the call_once. Nobody records who runs
// it.
#include <omp.h>

#include <mutex>

#include "say.h"

static std::once_flag ready;
static omp_lock_t lock;
static int tid[2], in[2];

static void prepare()
{
    say_set(&in[0], 1);
    say_await(&in[1], 1);
    SAY_LOCK("lock", &lock, tid[1]);
    omp_set_lock(&lock);
    say_set(&in[0], 2);
}

int main()
{
    say_verdict(2, "unknown");
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        tid[me] = say_tid();
        if (me == 1) {
            omp_set_lock(&lock);
            say_set(&in[1], 1);
            say_await(&in[0], 1);
            SAY("once", "futex", "'name':'ready','object':'%p'", &ready);
            std::call_once(ready, prepare);
            say_set(&in[1], 2);
        } else {
            std::call_once(ready, prepare);
        }
    }
}
