/* SPDX-License-Identifier: Apache-2.0 */
/* Held inside a dynamic loop: each thread in the first iteration that it got. */
#include "truth.h"

int main(void)
{
    truth_start("for_dynamic", 4, 0, 0);
#pragma omp parallel for num_threads(4) schedule(dynamic, 1)
    for (int i = 0; i < 64; i++) {
        truth_works();
        busy_here();
    }
}
