/* SPDX-License-Identifier: Apache-2.0 */
/* Nested regions, 2 x 3, all working. */
#include "truth.h"

int main(void)
{
    truth_start("nested", 6, 0, 0);
    omp_set_max_active_levels(8);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
    {
        truth_works();
        busy_here();
    }
}
