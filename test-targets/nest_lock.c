/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 2 holds a nest lock twice; thread 0 waits for it, thread 1 works. */
#include "truth.h"

static omp_nest_lock_t cabinet;
static int owner;

int main(void)
{
    truth_start("nest_lock", 3, 0, 0);
    omp_init_nest_lock(&cabinet);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 2) {
            omp_set_nest_lock(&cabinet);
            omp_set_nest_lock(&cabinet);
            truth_set(&owner, truth_tid());
        } else if (me == 0) {
            truth_await(&owner, 1);
            truth_waits("wait_lock", "nest_lock", &cabinet, truth_get(&owner), "cabinet", __LINE__ + 1);
            omp_set_nest_lock(&cabinet);
        }
        truth_works();
        busy_here();
    }
}
