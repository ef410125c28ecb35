/* SPDX-License-Identifier: Apache-2.0 */
/* A detached task has ended, its event is not fulfilled: a taskwait waits for it. */
#include "truth.h"

static int begun;

int main(void)
{
    omp_event_handle_t event;

    truth_start("detach", 3, 0, 0);
    truth_tasks(-1, 0, 0, 0, 0, -1);
#pragma omp parallel num_threads(3) private(event)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task detach(event)
            truth_set(&begun, 1);
            truth_await(&begun, 1);
            truth_waits("wait_taskwait", "taskwait", 0, 0, 0, 0);
#pragma omp taskwait
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
