/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: one thread of three leaves out a barrier, and comes to the end of the region after the others
 * came there. */
#include "verdict.h"

static int tids[3];

int main(void)
{
    VERDICT(3, 0, "deadlock", "A B",
            "Deadlock: {A} waits at the barrier at {A.at} for {B}; {B} skipped the barrier at {A.at} and "
            "is at the end of its region ({region.at}), where it waits for {A}. 1 more thread also waits "
            "forever. Of the team of 3, 2 are at the barrier at {A.at} and 1 is at the end of the region.");
    verdict_line("region", __LINE__ + 1);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        truth_set(&tids[me], truth_tid());
        if (me != 2) {
            VERDICT_STAYS(me == 0 ? "A" : "C");
#pragma omp barrier
        } else {
            for (int i = 0; i < 2; i++) {
                truth_await(&tids[i], 1);
                verdict_await_wait(truth_get(&tids[i]));
            }
            VERDICT_STAYS_SOMEWHERE("B");
        }
    }
}
