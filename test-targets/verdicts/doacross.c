/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unknown: an iteration waits for an earlier one of a doacross loop, whose thread waits for a lock that the
 * first has. A deadlock, but no runtime records who is to run an iteration.
 */
#include "verdict.h"

static omp_lock_t plane;
static int taken;

int main(void)
{
    VERDICT(2, 0, "unknown", "",
            "It cannot be said whether this is a deadlock: the owner of what a thread waits for is not "
            "known.");
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
