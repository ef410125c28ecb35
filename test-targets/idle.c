/* SPDX-License-Identifier: Apache-2.0 */
/* A region of 4 has ended; the program is in serial code and the pool is idle. */
#include "truth.h"

int main(void)
{
    truth_start("idle", 1, 3, 0);
#pragma omp parallel num_threads(4)
    truth_meet();
    truth_works();
    busy_here();
}
