/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No deadlock: a thread waits for a dependence with a lock that the other needs, but the task it depends on
 * has become ready, and it may run that itself. A signal handler keeps it from doing so just now.
 */
#include "verdict.h"

#include <pthread.h>

static omp_lock_t grid;
static omp_event_handle_t handle;
static unsigned long waiter;
static int published, detached, edge, face, done;

int main(void)
{
    VERDICT(2, 0, "none", "", "No deadlock: 2 threads wait and can go on, 1 sleeps.");
    omp_init_lock(&grid);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&grid);
            omp_event_handle_t event;
            waiter = (unsigned long)pthread_self();
#pragma omp task depend(out : edge) detach(event)
            truth_set(&detached, truth_tid());
            handle = event;
            truth_set(&published, 1);
#pragma omp task depend(in : edge) depend(out : face)
            truth_set(&done, 1);
            VERDICT_STAYS("A");
#pragma omp task depend(in : face) if (0)
            truth_set(&done, 2);
        } else {
            truth_await(&detached, 1);
            truth_await(&published, 1);
            verdict_await_wait(truth_get(&detached));
            verdict_freeze(waiter);
            omp_fulfill_event(handle);
            VERDICT_STAYS("B");
            omp_set_lock(&grid);
        }
    }
}
