/* SPDX-License-Identifier: Apache-2.0 */
/* Stuck: the primary thread leaves out a barrier; its arrival at the end of the region is taken for that of
 * the barrier. */
#include "verdict.h"

static int tid;

int main(void)
{
    VERDICT(2, 0, "stuck", "",
            "Stuck: {A} came to the end of its region ({region.at}) a barrier earlier than the others, "
            "who took that for its arrival at theirs. 1 more thread waits for ever too.");
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
