/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: a team waits for a member that is the primary thread of an inner team, and that one waits for
 * its mate. */
#include "verdict.h"

static int inner;

int main(void)
{
    VERDICT(3, 0, "none", "",
            "2 threads wait, directly or indirectly, for {A}, which waits in pause, called from busy_here at "
            "truth.c:~.");
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
            {
                if (omp_get_thread_num() == 1) {
                    truth_set(&inner, 1);
                    VERDICT_STAYS("A");
                    busy_here();
                }
                VERDICT_STAYS("B");
#pragma omp barrier
            }
        }
        truth_await(&inner, 1);
        VERDICT_STAYS("C");
#pragma omp barrier
    }
}
