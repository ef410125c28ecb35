/* SPDX-License-Identifier: Apache-2.0 */
/* if(0) outside all regions: level 1, active level 0, a team of one. */
#include "truth.h"

int main(void)
{
    truth_start("serialised_top", 1, 0, 0);
#pragma omp parallel if (0)
    {
        truth_works();
        busy_here();
    }
}
