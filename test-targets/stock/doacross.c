/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations of a doacross loop wait for the one before; the first is in user code. */
#include "truth.h"

static int first;

int main(void)
{
    truth_start("doacross", 3, 0, 0);
#pragma omp parallel num_threads(3)
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 3; i++) {
        if (i == 0) {
            truth_set(&first, 1);
            truth_works();
            busy_here();
        }
        truth_await(&first, 1);
        truth_waits("wait_ordered", "ordered", 0, 0, 0, 0);
#pragma omp ordered depend(sink : i - 1)
        truth_set(&first, 2);
#pragma omp ordered depend(source)
    }
}
