/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads hold a lock each and wait for the other's; a third waits at a barrier for both. */
#include "truth.h"

static omp_lock_t left, right;
static int left_owner, right_owner;

int main(void)
{
    truth_start("deadlock", 3, 0, 0);
    omp_init_lock(&left);
    omp_init_lock(&right);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            omp_set_lock(&left);
            truth_set(&left_owner, truth_tid());
            truth_await(&right_owner, 1);
            truth_waits("wait_lock", "lock", &right, truth_get(&right_owner), "right", __LINE__ + 1);
            omp_set_lock(&right);
        } else if (me == 1) {
            omp_set_lock(&right);
            truth_set(&right_owner, truth_tid());
            truth_await(&left_owner, 1);
            truth_waits("wait_lock", "lock", &left, truth_get(&left_owner), "left", __LINE__ + 1);
            omp_set_lock(&left);
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
