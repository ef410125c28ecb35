/* SPDX-License-Identifier: Apache-2.0 */
/* Held inside a static loop: each thread in the first iteration of its block. */
#include "truth.h"

int main(void)
{
    truth_start("for_static", 4, 0, 0);
#pragma omp parallel for num_threads(4) schedule(static)
    for (int i = 0; i < 64; i++) {
        truth_works();
        busy_here();
    }
}
