/* SPDX-License-Identifier: Apache-2.0 */
/* Three levels; the innermost regions differ in size, and one thread stays at level 2. */
#include "truth.h"

int main(void)
{
    /* 2 x 2 members of level 2; member (1,1) stays there, the others open regions of 2, 3 and 2. */
    truth_start("nested3", 2 + 3 + 2 + 1, 0, 0);
    omp_set_max_active_levels(8);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) firstprivate(outer)
        {
            int inner = omp_get_thread_num();
            if (outer == 1 && inner == 1) {
                truth_works();
                busy_here();
            }
#pragma omp parallel num_threads(2 + (outer == 0 && inner == 1))
            {
                truth_works();
                busy_here();
            }
        }
    }
}
