/* SPDX-License-Identifier: Apache-2.0 */
/* One thread of four leaves out a barrier that the others wait at, and reaches the end of the region. */
#include "verdict.h"

int main(void)
{
    VERDICT(4, 0, "deadlock", "A B",
            "Deadlock: {A} waits at the barrier at the end of its region (missed_barrier.c:9) for {B}; {B} "
            "came to the "
            "end of the region a barrier earlier than the others, and waits there for {A}. 2 more threads "
            "wait for ever too.");
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() != 2) {
            VERDICT_STAYS(omp_get_thread_num() == 0 ? "A" : "C");
#pragma omp barrier
        } else {
            VERDICT_STAYS_SOMEWHERE("B");
        }
    }
}
