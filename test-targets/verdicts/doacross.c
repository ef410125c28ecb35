/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deadlock: an iteration waits for an earlier one of a doacross loop, whose thread waits for a lock that the
 * first has. No runtime records who is to run an iteration, but only a member of the team can.
 */
#include "verdict.h"

static omp_lock_t plane;
static int taken;

int main(void)
{
    VERDICT(2, 0, "deadlock", "",
            "Deadlock: {B} waits for its turn in the ordered region at {B.at}, and no thread that could run "
            "the iteration before it can go on. 1 more thread also waits forever.");
    omp_init_lock(&plane);
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            truth_await(&taken, 1);
            VERDICT_STAYS("A");
            omp_set_lock(&plane);
#pragma omp ordered depend(source)
        } else {
            omp_set_lock(&plane);
            truth_set(&taken, 1);
            VERDICT_STAYS("B");
#pragma omp ordered depend(sink : i - 1)
        }
    }
}
