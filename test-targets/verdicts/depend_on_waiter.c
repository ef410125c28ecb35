/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: a thread waits for a dependence on a task, which waits for what its creator, that thread,
 * holds. */
#include "verdict.h"

static omp_lock_t buffer;
static int begun, block;

int main(void)
{
    VERDICT(2, 0, "deadlock", "A task B",
            "Deadlock: {A} holds lock buffer and waits for its dependences at {A.at}: {task T}, "
            "which runs on {B}; {B} waits for lock buffer at {B.at}.");
    omp_init_lock(&buffer);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&buffer);
            verdict_task("T", __LINE__ + 1);
#pragma omp task depend(out : block)
            {
                truth_set(&begun, 1);
                VERDICT_STAYS("B");
                omp_set_lock(&buffer);
            }
            truth_await(&begun, 1);
            VERDICT_STAYS_IN_CLANG("A");
#pragma omp task depend(in : block) if (0)
            truth_set(&begun, 2);
        }
    }
}
