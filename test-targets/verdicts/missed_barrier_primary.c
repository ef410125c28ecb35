/* SPDX-License-Identifier: Apache-2.0 */
/* Stuck: the primary thread leaves out a barrier; its arrival at the end of the region is taken for that of
 * the barrier. */
#include "verdict.h"

static int tid;

int main(void)
{
    VERDICT(2, 0, "stuck", "",
            "Stuck: {A} skipped a barrier and is at the end of its region ({region.at}), "
            "which counted as its arrival where the others wait. 1 more thread also waits forever.");
    verdict_line("region", __LINE__ + 1);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            truth_set(&tid, truth_tid());
            VERDICT_STAYS_SOMEWHERE("A");
        } else {
            truth_await(&tid, 1);
            verdict_await_asleep(truth_get(&tid));
            VERDICT_STAYS("B");
#pragma omp barrier
        }
    }
}
