/* SPDX-License-Identifier: Apache-2.0 */
/* After a region of 4, one of 2: two threads work, two are idle. */
#include "truth.h"

int main(void)
{
    truth_start("idle_some", 2, 2, 0);
#pragma omp parallel num_threads(4)
    truth_meet();
#pragma omp parallel num_threads(2)
    {
        truth_works();
        busy_here();
    }
}
