/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: the region is over, the pool is idle, and the primary thread works alone. */
#include "verdict.h"

int main(void)
{
    verdict_start(__FILE__, 1, 3, 0, "none", "", "No deadlock: 1 thread waits, 1 sleeps.");
#pragma omp parallel num_threads(4)
    truth_meet();
    VERDICT_STAYS("A");
    busy_here();
}
