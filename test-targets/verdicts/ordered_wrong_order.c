/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: the second iteration waits for its turn with a lock that the first one needs. */
#include "verdict.h"

static omp_lock_t file;
static int taken;

int main(void)
{
    VERDICT(2, 0, "deadlock", "A B",
            "Deadlock: {A} has the turn in the ordered region and waits for lock file at {A.at}; "
            "{B} holds lock file and waits for its turn in the ordered region at {B.at}.");
    omp_init_lock(&file);
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            truth_await(&taken, 1);
            VERDICT_STAYS("A");
            omp_set_lock(&file);
        } else {
            omp_set_lock(&file);
            truth_set(&taken, 1);
        }
        if (i == 1)
            VERDICT_STAYS_IN_CLANG("B");
#pragma omp ordered
        {
            omp_unset_lock(&file);
        }
    }
}
