/* SPDX-License-Identifier: Apache-2.0 */
/* Like ordered_wait, with a dynamic schedule. The primary thread comes first, and so has iteration 0. */
#include "truth.h"

#include <stddef.h>

static int owner;

int main(void)
{
    truth_start("ordered_wait_dynamic", 4, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() != 0)
            truth_await(&owner, 1);
#pragma omp for ordered schedule(dynamic, 1)
        for (int i = 0; i < 4; i++) {
            if (i > 0)
                truth_waits("wait_ordered", "ordered", NULL, truth_get(&owner), NULL,
                            TRUTH_CLANG_LINE(__LINE__ + 1));
#pragma omp ordered
            {
                truth_set(&owner, truth_tid());
                truth_works();
                busy_here();
            }
        }
    }
}
