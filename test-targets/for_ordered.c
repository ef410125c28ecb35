/* SPDX-License-Identifier: Apache-2.0 */
/* Held inside an ordered loop: thread 0 in the ordered region, the others before theirs, in user code. */
#include "truth.h"

int main(void)
{
    truth_start("for_ordered", 4, 0, 0);
#pragma omp parallel for ordered num_threads(4) schedule(static, 1)
    for (int i = 0; i < 4; i++) {
        if (i > 0) {
            truth_works();
            busy_here();
        }
#pragma omp ordered
        {
            truth_works();
            busy_here();
        }
    }
}
