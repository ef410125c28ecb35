/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads (16, or the first argument) wait for a critical region in which the first one works. */
#include "truth.h"

#include <stdlib.h>

static int owner;

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 16;

    truth_start("many_critical", threads, 0, 0);
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_thread_num() != 0) {
            truth_await(&owner, 1);
            truth_waits("wait_critical", "critical", 0, truth_get(&owner), "desk", __LINE__ + 1);
        }
#pragma omp critical(desk)
        {
            truth_set(&owner, truth_tid());
            truth_works();
            busy_here();
        }
    }
}
