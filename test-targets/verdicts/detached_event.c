/* SPDX-License-Identifier: Apache-2.0 */
/* Unknown: taskwait for a detached task whose event nobody has fulfilled; any code still may. */
#include "verdict.h"

static int handed;

int main(void)
{
    VERDICT(2, 0, "unknown", "",
            "It cannot be said whether this is a deadlock: {task T} waits for omp_fulfill_event, which any "
            "code may call.");
    verdict_task("T", __LINE__ + 5);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_event_handle_t event;
#pragma omp task detach(event)
            truth_set(&handed, 1);
            (void)event;
            VERDICT_STAYS("A");
#pragma omp taskwait
        }
        VERDICT_STAYS("B");
#pragma omp barrier
    }
}
