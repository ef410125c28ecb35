/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads (16, or the first argument) at a barrier; the last one is missing. */
#include "truth.h"

#include <stdlib.h>

static int late;

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 16;

    truth_start("many_barrier", threads, 0, 0);
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_thread_num() == threads - 1) {
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
        truth_set(&late, 1);
    }
}
