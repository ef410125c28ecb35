// SPDX-License-Identifier: Apache-2.0
// Objects in the heap: a queue's mutex and condition, by what leads to them.
#include <omp.h>
#include <unistd.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "say.h"

struct Queue {
    std::mutex mutex;
    std::condition_variable filled;
    int count = 0;

    void take()
    {
        std::unique_lock<std::mutex> lock(mutex);
        while (count == 0)
            filled.wait(lock);
        count--;
    }
    void put()
    {
        std::lock_guard<std::mutex> lock(mutex);
        count++;
    }
};

struct Pool {
    Queue *queue = new Queue;
};
static Pool pool;
static int held, tid;

static void hold()
{
    std::lock_guard<std::mutex> lock(pool.queue->mutex);
    tid = say_tid();
    say_set(&held, 1);
    SAY_SLEEP();
    sleep(SAY_LONG);
    pool.queue->count++;
}

int main()
{
    say_verdict(3, "none");
    std::thread holder(hold);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            say_await(&held, 1);
            say(0, "mutex", "futex", "'call':'pthread_mutex_lock','object':'%p','owner':%d",
                &pool.queue->mutex, tid);
            pool.queue->put();
            say_set(&held, 2);
        } else {
            SAY_BARRIER();
        }
    }
    holder.join();
}
