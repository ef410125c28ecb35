/* SPDX-License-Identifier: Apache-2.0 */
/* One region of 4, all working in user code. */
#include "truth.h"

int main(void)
{
    truth_start("parallel", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
        truth_works();
        busy_here();
    }
}
