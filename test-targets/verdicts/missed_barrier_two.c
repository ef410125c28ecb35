/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: one thread of two leaves out a barrier. */
#include "verdict.h"

static int tid;

int main(void)
{
    VERDICT(
        2, 0, "deadlock", "A B",
        "Deadlock: {A} skipped the barrier at {B.at} and is at the end of its region ({region.at}), where it "
        "waits for {B}; {B} waits at the barrier at {B.at} for {A}.");
    verdict_line("region", __LINE__ + 1);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            truth_set(&tid, truth_tid());
            VERDICT_STAYS_SOMEWHERE("A");
        } else {
            truth_await(&tid, 1);
            verdict_await_wait(truth_get(&tid));
            VERDICT_STAYS("B");
#pragma omp barrier
        }
    }
}
