/* SPDX-License-Identifier: Apache-2.0 */
/* Held inside a chunked static loop. */
#include "truth.h"

int main(void)
{
    truth_start("for_static_chunked", 4, 0, 0);
#pragma omp parallel for num_threads(4) schedule(static, 2)
    for (int i = 0; i < 64; i++) {
        truth_works();
        busy_here();
    }
}
