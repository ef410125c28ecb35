/* SPDX-License-Identifier: Apache-2.0 */
/* So many locks that libomp's first table of them is full. Threads wait for the first, for one of a later row
   of that table, and for the last. */
#include "truth.h"

enum { LOCKS = 9000, WAITERS = 4 };
static omp_lock_t locks[LOCKS];
static const int wanted[WAITERS] = {0, 1500, 8192, LOCKS - 1};
static int owner;

int main(void)
{
    truth_start("locks_numbered", WAITERS + 1, 0, 0);
    for (int i = 0; i < LOCKS; i++)
        omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(WAITERS + 1)
    {
        int me = omp_get_thread_num();
        if (me == WAITERS) {
            for (int i = 0; i < WAITERS; i++)
                omp_set_lock(&locks[wanted[i]]);
            truth_set(&owner, truth_tid());
            truth_works();
            busy_here();
        }
        truth_await(&owner, 1);
        truth_waits("wait_lock", "lock", &locks[wanted[me]], truth_get(&owner), "locks", 0);
        omp_set_lock(&locks[wanted[me]]);
        truth_set(&owner, 1);
    }
}
