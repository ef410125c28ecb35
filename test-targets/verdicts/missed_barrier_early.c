/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: one thread of three leaves out a barrier, and is at the end of the region before the others come
 * there. */
#include "verdict.h"

static int tid;

int main(void)
{
    VERDICT(3, 0, "deadlock", "A B",
            "Deadlock: {A} waits at the barrier at the end of its region ({region.at}) for {B}; {B} "
            "skipped a barrier and is at the end of its region ({region.at}), where it waits for {A}. 1 "
            "more thread also waits forever.");
    verdict_line("region", __LINE__ + 1);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me != 2) {
            truth_await(&tid, 1);
            verdict_await_wait(truth_get(&tid));
            VERDICT_STAYS(me == 0 ? "A" : "C");
#pragma omp barrier
        } else {
            truth_set(&tid, truth_tid());
            VERDICT_STAYS_SOMEWHERE("B");
        }
    }
}
