/* SPDX-License-Identifier: Apache-2.0 */
/* Stuck: the primary thread of three leaves out a barrier; its arrival at the end of the region is taken for
 * that of the barrier. */
#include "verdict.h"

static int tid;

int main(void)
{
    VERDICT(3, 0, "stuck", "",
            "Stuck: {A} skipped a barrier and is at the end of its region ({region.at}), "
            "which counted as its arrival where the others wait. 2 more threads also wait forever.");
    verdict_line("region", __LINE__ + 1);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            truth_set(&tid, truth_tid());
            VERDICT_STAYS_SOMEWHERE("A");
        } else {
            truth_await(&tid, 1);
            verdict_await_wait(truth_get(&tid));
            VERDICT_STAYS(me == 1 ? "B" : "C");
#pragma omp barrier
        }
    }
}
