/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of a team in target regions, which the host executes: one works, one waits for a lock, one for a
 * critical region. libgomp's routines tell there of an initial thread of its own.
 */
#include "truth.h"

static omp_lock_t lock;
static int owner, inside;

static void apart(int me)
{
    if (omp_get_level() == 0)
        truth_root(me);
}

int main(void)
{
    truth_start("target", 5, 0, 0);
    omp_init_lock(&lock);
#pragma omp parallel num_threads(5)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            omp_set_lock(&lock);
            truth_set(&owner, truth_tid());
#pragma omp target
            {
                apart(me + 1);
                truth_works();
                busy_here();
            }
        }
        truth_await(&owner, 1);
        if (me == 1) {
#pragma omp target
            {
                apart(me + 1);
                truth_waits("wait_lock", "lock", &lock, owner, "lock", 0);
                omp_set_lock(&lock);
            }
        }
        if (me == 2) {
#pragma omp critical(box)
            {
                truth_set(&inside, truth_tid());
                truth_works();
                busy_here();
            }
        }
        truth_await(&inside, 1);
        if (me == 3) {
#pragma omp target
            {
                apart(me + 1);
                truth_waits("wait_critical", "critical", 0, inside, 0, 0);
#pragma omp critical(box)
                inside++;
            }
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
        truth_set(&owner, 1);
    }
}
