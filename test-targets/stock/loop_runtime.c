/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that the runtime divides, after one of another region: each member is in the first chunk it got. */
#include "truth.h"

int main(void)
{
    omp_set_schedule(omp_sched_static, 5);
    truth_start("loop_runtime", 4, 0, 0);
#pragma omp parallel for num_threads(4) schedule(dynamic, 3)
    for (int i = 0; i < 64; i++)
        __asm__ volatile("" : : "r"(i));
#pragma omp parallel num_threads(4)
#pragma omp for schedule(runtime)
    for (int i = 0; i < 64; i++) {
        truth_works();
        busy_here();
    }
}
