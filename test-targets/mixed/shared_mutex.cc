// SPDX-License-Identifier: Apache-2.0
// A std::shared_mutex and an OpenMP lock in the wrong order.
#include <omp.h>

#include <mutex>
#include <shared_mutex>

#include "say.h"

struct Cache {
    std::shared_mutex guard;
    omp_lock_t lock;
};
static Cache cache;
static int tid[2], held[2];

int main()
{
    say_verdict(2, "deadlock");
    omp_init_lock(&cache.lock);
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        tid[me] = say_tid();
        if (me == 0) {
            std::unique_lock<std::shared_mutex> all(cache.guard);
            say_set(&held[0], 1);
            say_await(&held[1], 1);
            SAY_LOCK("cache.lock", &cache.lock, tid[1]);
            omp_set_lock(&cache.lock);
            say_set(&held[0], 2);
        } else {
            omp_set_lock(&cache.lock);
            say_set(&held[1], 1);
            say_await(&held[0], 1);
            SAY_OBJECT("rwlock", "pthread_rwlock_rdlock", "cache.guard", &cache.guard, 56, tid[0]);
            std::shared_lock<std::shared_mutex> some(cache.guard);
            say_set(&held[1], 2);
        }
    }
}
