/* SPDX-License-Identifier: Apache-2.0 */
/* A reader-writer lock and a mutex in the wrong order, both in a team. */
#include <omp.h>
#include <pthread.h>

#include "say.h"

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static int tid[2], held[2];

int main(void)
{
    say_verdict(2, "deadlock");
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();

        tid[me] = say_tid();
        if (me == 0) {
            pthread_rwlock_wrlock(&table);
            say_set(&held[0], 1);
            say_await(&held[1], 1);
            SAY_MUTEX("cache", &cache, tid[1]);
            pthread_mutex_lock(&cache);
            pthread_rwlock_unlock(&table);
        } else {
            pthread_mutex_lock(&cache);
            say_set(&held[1], 1);
            say_await(&held[0], 1);
            SAY_OBJECT("rwlock", "pthread_rwlock_rdlock", "table", &table, 56, tid[0]);
            pthread_rwlock_rdlock(&table);
            pthread_mutex_unlock(&cache);
        }
    }
}
