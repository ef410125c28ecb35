/* SPDX-License-Identifier: Apache-2.0 */
/* A diamond of dependences begins with a detached task, whose code has ended and whose event is open. */
#include "truth.h"

static int begun;

int main(void)
{
    omp_event_handle_t event;
    int a = 0, b = 0, c = 0;

    truth_start("detach_depend", 3, 0, 0);
    truth_tasks(-1, 0, 0, 3, 0, -1);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2) {
#pragma omp task depend(out : a) detach(event)
            truth_set(&begun, 1);
#pragma omp task depend(in : a) depend(out : b)
            b = a + 1;
#pragma omp task depend(in : a) depend(out : c)
            c = a + 2;
#pragma omp task depend(in : b, c)
            a = b + c;
            truth_await(&begun, 1);
            truth_waits("wait_taskwait", "taskwait", 0, 0, 0, 0);
#pragma omp taskwait
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
        truth_set(&begun, 1);
    }
}
