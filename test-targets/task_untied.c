/* SPDX-License-Identifier: Apache-2.0 */
/* An untied task runs on whatever thread took it. */
#include "truth.h"

int main(void)
{
    truth_start("task_untied", 3, 0, 1);
    truth_tasks(1, 1, 0, 0, 0, 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task untied
            {
                truth_task_works();
                busy_here();
            }
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
