/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: a thread waits at a barrier with a lock that the missing one needs to get there. */
#include "verdict.h"

static omp_lock_t mesh;
static int taken;

int main(void)
{
    VERDICT(4, 0, "deadlock", "A B",
            "Deadlock: {A} holds lock mesh and waits at the barrier at {A.at} for {B}; {B} waits for "
            "lock mesh at {B.at}. 2 more threads also wait forever.");
    omp_init_lock(&mesh);
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            omp_set_lock(&mesh);
            truth_set(&taken, 1);
        } else if (me == 3) {
            truth_await(&taken, 1);
            VERDICT_STAYS("B");
            omp_set_lock(&mesh);
        }
        VERDICT_STAYS(me == 0 ? "A" : "C");
#pragma omp barrier
    }
}
