/* SPDX-License-Identifier: Apache-2.0 */
/* Regions of one thread inside an active one: if(0), num_threads(1), and both nested. */
#include "truth.h"

static void hold(void)
{
    truth_works();
    busy_here();
}

int main(void)
{
    truth_start("serialised", 4, 0, 0);
    omp_set_max_active_levels(8);
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            hold();
        } else if (me == 1) {
#pragma omp parallel if (0)
            hold();
        } else if (me == 2) {
#pragma omp parallel num_threads(1)
            hold();
        } else {
#pragma omp parallel num_threads(1)
#pragma omp parallel if (0)
            hold();
        }
    }
}
